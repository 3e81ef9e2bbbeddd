import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, User, Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import "../../../lib/settings-texts.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { JustMeForm } from "./just-me-form.tsx";
import { StepPage } from "./step-page.tsx";
import { TeamForm, type AdminCredentials } from "./team-form.tsx";

const formId = "people";

/**
 * Just me, with or without a password, or my team with a first admin. `onPassword` and `onAdmin`
 * then sign this browser in.
 */
export function PeopleStep({
  onPassword,
  onAdmin,
  onDone,
}: {
  onPassword: (password: string) => Promise<void>;
  onAdmin: (credentials: AdminCredentials) => Promise<string[]>;
  onDone: () => void;
}) {
  const { t } = useTranslation(["onboarding", "settings"]);
  const { data: setup } = useSuspenseQuery(setupQuery);
  const [who, setWho] = useState<"me" | "team" | null>(null);
  const [form, setForm] = useState({ isComplete: false, isBusy: false });
  /** Why signing in failed although the account was created. */
  const [unsigned, setUnsigned] = useState<string | null>(null);
  // Somebody came back to this step, or set up the instance without the wizard.
  const isDecided = setup.MultiUserMode === true || setup.RequiresAuth === true;
  const [wasDecided] = useState(isDecided);
  const shared = { id: formId, onState: setForm };
  return (
    <StepPage
      title={t("people.title")}
      sentence={t("people.sentence")}
      back="llm-preference"
      footer={
        unsigned !== null ? (
          <Link
            className={buttonStyles({ variant: "primary" })}
            to="/login"
            search={{ nt: 1, to: "/onboarding/data-handling" }}
          >
            {t("people.signIn")}
          </Link>
        ) : (
          <Button
            variant="primary"
            {...(wasDecided ? { onClick: onDone } : { type: "submit", form: formId })}
            disabled={!wasDecided && (!form.isComplete || form.isBusy)}
          >
            {form.isBusy ? (who === "team" ? t("people.creating") : t("saving")) : t("continue")}
            <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
          </Button>
        )
      }
    >
      {unsigned !== null ? (
        <Notice kind="warn">
          <p>{t("people.signInFailed", { message: unsigned })}</p>
        </Notice>
      ) : wasDecided ? (
        <Notice kind="info">
          <p>
            <b>{t(setup.MultiUserMode ? "settings:accountsOn" : "settings:protected")}</b>{" "}
            {t(setup.MultiUserMode ? "settings:accountsOnText" : "settings:protectedHelp")}
          </p>
        </Notice>
      ) : (
        <div className="grid grid-cols-1 gap-6">
          <ChoiceCards
            name="who"
            label={t("people.label")}
            value={who}
            options={[
              { value: "me", label: t("people.me"), text: t("people.meText"), icon: User },
              { value: "team", label: t("people.team"), text: t("people.teamText"), icon: Users },
            ]}
            onChange={(chosen) => {
              setWho(chosen);
              setForm({ isComplete: false, isBusy: false });
            }}
          />
          {who === "me" && <JustMeForm {...shared} onPassword={onPassword} onDone={onDone} />}
          {who === "team" && (
            <TeamForm {...shared} onAdmin={onAdmin} onUnsigned={setUnsigned} onDone={onDone} />
          )}
        </div>
      )}
    </StepPage>
  );
}
