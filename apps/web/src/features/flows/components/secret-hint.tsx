import type { FlowBlock } from "@carrel/contracts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { literalSecrets, type LiteralSecret } from "../state/secrets.ts";
import { useBlock } from "./block-fields.tsx";
import { useScope } from "./builder-context.ts";
import { CredentialDialog } from "./credential-dialogs.tsx";

/** Says that a field holds what looks like a secret, and makes it a credential. */
export function SecretHint({
  step,
  field,
}: {
  step: FlowBlock<"apiCall">;
  field: LiteralSecret["field"];
}) {
  const { t } = useTranslation(["flows", "credentials"]);
  const { builder } = useScope();
  const { set } = useBlock(step);
  const [storing, setStoring] = useState<LiteralSecret | null>(null);
  const secret = literalSecrets(step).find((each) => each.field === field);
  if (secret === undefined) return null;
  return (
    <>
      <Notice
        kind="warn"
        action={
          <Button size="sm" onClick={() => setStoring(secret)}>
            {t("credentials:store")}
          </Button>
        }
      >
        <p>{t("secret.hint")}</p>
      </Notice>
      {storing && (
        <CredentialDialog
          initial={storing}
          flow={
            builder.flowId === null
              ? null
              : { id: builder.flowId, name: builder.content.name.trim() }
          }
          onCreated={(name) => set(storing.replaceWith(name))}
          onClose={() => setStoring(null)}
        >
          {builder.flowId !== null && (
            <Notice kind="warn">
              <p>{t("secret.inVersions")}</p>
            </Notice>
          )}
        </CredentialDialog>
      )}
    </>
  );
}
