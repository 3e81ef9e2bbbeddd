import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, User, Users } from "lucide-react";
import { Suspense, useEffect, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { CredentialField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import {
  nameFault,
  passwordFault,
  useEnableUserAccounts,
  usePasswordRule,
  useSetPassword,
} from "../../../lib/credential-rules.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { sentenceSpace } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import "../../../lib/settings-texts.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { StepPage } from "./onboarding-frame.tsx";

const RecoveryCodesDialog = lazyPart(() => import("../../../components/recovery-codes-dialog.tsx"));

export interface AdminCredentials {
  username: string;
  password: string;
}

/** Creates the first admin, which switches the instance to user accounts, and signs them in. */
function TeamForm({
  id,
  onState,
  onAdmin,
  onUnsigned,
  onDone,
}: {
  id: string;
  onState: (state: FormState) => void;
  /** Returns the recovery codes of the first sign-in. */
  onAdmin: (credentials: AdminCredentials) => Promise<string[]>;
  /** The account exists, but signing in to it failed, with this message. */
  onUnsigned: (message: string) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation(["onboarding", "common", "settings"]);
  const passwordRule = usePasswordRule();
  const enable = useEnableUserAccounts();
  const [credentials, setCredentials] = useState<AdminCredentials>({ username: "", password: "" });
  const [isBusy, setBusy] = useState(false);
  const [codes, setCodes] = useState<string[]>([]);
  const faults = {
    username: nameFault(credentials.username, { firstAdmin: true }),
    password: passwordFault(credentials.password),
  };
  const isComplete =
    faults.username !== "nameShortFirstAdmin" && faults.password !== "passwordShort";
  useEffect(() => onState({ isComplete, isBusy }), [onState, isComplete, isBusy]);
  const create = async (): Promise<void> => {
    await enable.mutateAsync(credentials);
    try {
      const issued = await onAdmin(credentials);
      if (issued.length === 0) onDone();
      else setCodes(issued);
    } catch (error) {
      onUnsigned(errorMessage(error));
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy || faults.username || faults.password) return;
    setBusy(true);
    void replaceSession(create)
      .catch(() => undefined) // shown below
      .finally(() => setBusy(false));
  };
  const type = (part: Partial<AdminCredentials>): void => {
    setCredentials({ ...credentials, ...part });
    if (enable.isError) enable.reset();
  };
  return (
    <form id={id} className="grid grid-cols-1 gap-5" onSubmit={onSubmit} noValidate>
      <p className="text-fg-2">{t("people.adminSentence")}</p>
      <CredentialField
        label={t("settings:adminName")}
        help={t("people.nameHelp")}
        fault={faults.username}
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={credentials.username}
        onChange={(event) => type({ username: event.target.value })}
      />
      <CredentialField
        label={t("settings:adminPassword")}
        type="password"
        autoComplete="new-password"
        help={`${passwordRule} ${t("people.adminHelp")}`}
        fault={faults.password}
        value={credentials.password}
        onChange={(event) => type({ password: event.target.value })}
      />
      {codes.length > 0 && (
        <Suspense>
          <RecoveryCodesDialog codes={codes} onClose={onDone} />
        </Suspense>
      )}
      {enable.error && (
        <Notice kind="bad">
          <p>{t("people.teamFailed", { message: enable.error.message })}</p>
        </Notice>
      )}
    </form>
  );
}

interface FormState {
  /** Whether everything that the step needs is filled in. */
  isComplete: boolean;
  isBusy: boolean;
}

/** Asks whether to set a password, and if so which. */
function JustMeForm({
  id,
  onState,
  onPassword,
  onDone,
}: {
  id: string;
  onState: (state: FormState) => void;
  onPassword: (password: string) => Promise<void>;
  onDone: () => void;
}) {
  const { t } = useTranslation(["onboarding", "common", "settings"]);
  const [answer, setAnswer] = useState<"yes" | "no" | null>(null);
  const [password, setPassword] = useState("");
  const fault = passwordFault(password);
  const [isChecked, setChecked] = useState(false);
  const save = useSetPassword();
  const { submit, busy, error, clearError } = useSubmission(() =>
    replaceSession(async () => {
      await save.mutateAsync({ newPassword: password, currentPassword: "" });
      await onPassword(password);
    }),
  );
  const isComplete = answer === "no" || (answer === "yes" && [...password].length >= 8);
  useEffect(() => onState({ isComplete, isBusy: busy }), [onState, isComplete, busy]);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete || busy) return;
    if (answer === "no") return onDone();
    setChecked(true);
    if (!fault) submit(undefined, { onSuccess: onDone });
  };
  return (
    <form id={id} className="grid grid-cols-1 gap-5" onSubmit={onSubmit} noValidate>
      <div className="grid gap-2">
        <h2 className="text-md font-semibold">{t("people.passwordQuestion")}</h2>
        <ChoiceCards
          name="password-wanted"
          label={t("people.passwordQuestion")}
          value={answer}
          options={[
            { value: "yes", label: t("people.yes") },
            { value: "no", label: t("people.no") },
          ]}
          onChange={setAnswer}
        />
      </div>
      {answer === "no" && <p className="text-fg-2">{t("people.noPassword")}</p>}
      {answer === "yes" && (
        <CredentialField
          label={t("settings:password")}
          type="password"
          autoComplete="new-password"
          autoFocus
          help={t("people.passwordHelp")}
          fault={fault}
          isChecked={isChecked}
          problem={error && t("people.passwordFailed", { message: error.message })}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setChecked(false);
            clearError();
          }}
        />
      )}
    </form>
  );
}

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
            <b>{t(setup.MultiUserMode ? "settings:accountsOn" : "settings:protected")}</b>
            {sentenceSpace()}
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
