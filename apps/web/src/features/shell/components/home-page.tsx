import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ClosedReason } from "../../../components/ui/closed-door.tsx";
import { Field, FieldError, FieldLabel, Input } from "../../../components/ui/field.tsx";
import { Hero, Main } from "../../../components/ui/page.tsx";
import { useSubmission } from "../../../lib/query-client.ts";
import { Topbar } from "./topbar.tsx";

/**
 * Shown while there are no workspaces: explains what they are for and creates the first one. People
 * who may not create workspaces see whom to ask.
 */
export function HomePage({
  onCreate,
  closed,
}: {
  onCreate: ((name: string) => Promise<void>) | null;
  /** Whether the user may not create workspaces; false until it is known. */
  closed: boolean;
}) {
  const { t } = useTranslation("shell");
  return (
    <Main>
      <Topbar title={t("home")} />
      <Hero>
        {onCreate ? (
          <FirstWorkspace onCreate={onCreate} />
        ) : (
          <>
            <h2>{t("memberTitle")}</h2>
            <p className="mt-2 mb-6 max-w-[60ch] text-md text-fg-2">{t("memberText")}</p>
            {closed && <ClosedReason door="createWorkspaces" className="mb-2 max-w-[60ch]" />}
            <p className="text-fg-3">{t("memberHelp")}</p>
          </>
        )}
      </Hero>
    </Main>
  );
}

function FirstWorkspace({ onCreate }: { onCreate: (name: string) => Promise<void> }) {
  const { t } = useTranslation("shell");
  const [name, setName] = useState("");
  const { submit, busy, error, clearError } = useSubmission(onCreate);
  const problem = error && t("workspaceNotCreated", { message: error.message });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() && !busy) submit(name.trim());
  };
  return (
    <>
      <h2>{t("emptyTitle")}</h2>
      <p className="mt-2 mb-6 max-w-[60ch] text-md text-fg-2">{t("emptyText")}</p>
      <form
        className="mb-4 flex items-end gap-3 has-[[role=alert]]:items-center max-md:flex-col max-md:items-stretch"
        onSubmit={onSubmit}
      >
        <Field className="min-w-0 flex-1">
          <FieldLabel htmlFor="first-workspace">{t("emptyName")}</FieldLabel>
          <Input
            height="lg"
            id="first-workspace"
            invalid={problem !== null}
            value={name}
            maxLength={255}
            autoFocus
            placeholder={t("newWorkspacePlaceholder")}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? "first-error" : undefined}
            onChange={(event) => {
              setName(event.target.value);
              clearError();
            }}
          />
          {problem && (
            <FieldError id="first-error" role="alert">
              {problem}
            </FieldError>
          )}
        </Field>
        <Button
          type="submit"
          className="max-md:h-11"
          variant="primary"
          size="lg"
          disabled={busy || !name.trim()}
        >
          {busy ? t("creating") : t("emptyAction")}
        </Button>
      </form>
      <p className="text-fg-3">{t("emptyPrivacy")}</p>
    </>
  );
}
