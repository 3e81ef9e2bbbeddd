import { agentLabels } from "@carrel/contracts/skill-declaration";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SmallForm } from "../../../components/setting-parts.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useSavePreferences } from "../../../lib/agent-preferences.ts";
import { useRights } from "../../../lib/current-user.ts";
import { toast } from "../../../lib/toast.ts";
import { setupStateQuery, useSignInToOutlook, useSignOut } from "../api/agents.ts";
import type { PersonalSkill } from "../state/skills.ts";

const script = { plain: ["deploymentId"], secret: "apiKey" } as const;
const forms = {
  "gmail-agent": { label: agentLabels.gmail, ...script },
  "google-calendar-agent": { label: agentLabels.calendar, ...script },
  "outlook-agent": {
    label: agentLabels.outlook,
    plain: ["clientId", "tenantId"],
    secret: "clientSecret",
  },
} as const;

/** The connection of a skill that acts in one person's account. */
export default function PersonalSetup({ skill }: { skill: PersonalSkill }) {
  const { t } = useTranslation("agents");
  const { multiUser } = useRights();
  return (
    <FormSection
      title={t("personal.title")}
      help={multiUser ? null : skill === "outlook-agent" ? t("personal.app") : <ScriptHelp />}
    >
      {multiUser ? (
        <Notice kind="warn">
          <p>{t("personal.team")}</p>
        </Notice>
      ) : (
        <Connection skill={skill} />
      )}
    </FormSection>
  );
}

/** `outlook.routes.ts` serves it. */
const redirectUri = `${location.origin}/api/agent-skills/outlook/auth-callback`;

function Connection({ skill }: { skill: PersonalSkill }) {
  const { t } = useTranslation("agents");
  const { data: state } = useSuspenseQuery(setupStateQuery(skill));
  const save = useSavePreferences();
  const signOut = useSignOut();
  const signIn = useSignInToOutlook();
  const { label, plain, secret } = forms[skill];
  const [typed, setTyped] = useState<Record<string, string>>({});
  const names: readonly (typeof secret | (typeof plain)[number])[] = [...plain, secret];
  const changed = names.some(
    (name) =>
      typed[name] !== undefined &&
      typed[name] !== (name === secret ? "" : (state.config[name] ?? "")),
  );
  const isOutlook = skill === "outlook-agent";
  return (
    <>
      <Notice
        kind={state.isConfigured && state.isAuthenticated ? "info" : "plain"}
        action={
          !isOutlook || !state.isConfigured ? undefined : state.isAuthenticated ? (
            <Button
              size="sm"
              disabled={signOut.isPending}
              onClick={() =>
                signOut.mutate(undefined, {
                  onSuccess: () => toast.success(t("personal.signedOut")),
                })
              }
            >
              {t("personal.signOut")}
            </Button>
          ) : (
            <Button
              size="sm"
              disabled={signIn.isPending || changed}
              onClick={() => signIn.mutate(undefined)}
            >
              {t("personal.signIn")}
            </Button>
          )
        }
      >
        <p>
          {!state.isConfigured
            ? t("personal.notReady")
            : state.isAuthenticated
              ? t("personal.ready")
              : t("personal.notSignedIn")}
        </p>
      </Notice>
      {isOutlook && (
        <TextField
          label={t("personal.redirectUri")}
          extra={
            <CopyButton className="-my-1 max-md:size-11 max-md:-my-3" text={() => redirectUri} />
          }
          value={redirectUri}
          help={t("personal.redirectHelp")}
          readOnly
          dir="ltr"
          onFocus={(event) => event.target.select()}
        />
      )}
      <SmallForm
        changed={changed}
        done={t("personal.saved", { skill: t(`skill.${skill}.name`) })}
        onSave={async () => {
          const sent = Object.entries(typed).filter(
            ([name, text]) => name !== secret || text !== "",
          );
          await save.mutateAsync({ [label]: Object.fromEntries(sent) });
          setTyped({});
        }}
      >
        {names.map((name) => (
          <TextField
            key={name}
            label={t(`personal.${name}`)}
            type={name === secret ? "password" : "text"}
            value={typed[name] ?? (name === secret ? "" : (state.config[name] ?? ""))}
            help={name === secret && name in state.config ? t("personal.kept") : undefined}
            autoComplete={name === secret ? "new-password" : "off"}
            spellCheck={false}
            dir="ltr"
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        ))}
      </SmallForm>
    </>
  );
}

/** Names of functions are between backticks in the text. */
function ScriptHelp() {
  const { t } = useTranslation("agents");
  return t("personal.script")
    .split("`")
    .map((part, index) =>
      index % 2 === 1 ? (
        <code key={index} dir="ltr">
          {part}
        </code>
      ) : (
        part
      ),
    );
}
