import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { toast } from "../../../lib/toast.ts";
import { useCreateWidgetSecret, useDeleteWidgetSecret, type Widget } from "../api/widgets.ts";
import { SecretDialog } from "./secret-dialog.tsx";

/** The secret with which the site's server signs visitors' identities; applies immediately. */
export function WidgetIdentity({
  widget: { id, has_identity_secret: hasSecret },
}: {
  widget: Widget;
}) {
  const { t } = useTranslation("widgets");
  const create = useCreateWidgetSecret();
  const remove = useDeleteWidgetSecret();
  const [confirming, setConfirming] = useState<"replace" | "delete" | null>(null);
  return (
    <FormSection title={t("identity")} help={t("identityHelp")}>
      <div className="flex flex-wrap items-center gap-2">
        <p className="me-2 text-fg-2">{t(hasSecret ? "identityOn" : "identityOff")}</p>
        <Button
          disabled={create.isPending}
          onClick={() => (hasSecret ? setConfirming("replace") : create.mutate(id))}
        >
          {t(hasSecret ? "replaceSecret" : "createSecret")}
        </Button>
        {hasSecret && (
          <Button variant="danger-outline" onClick={() => setConfirming("delete")}>
            {t("deleteSecret")}
          </Button>
        )}
      </div>
      {confirming === "replace" && (
        <ConfirmDialog
          open
          title={t("replaceTitle")}
          text={t("replaceText")}
          action={t("replaceSecret")}
          onClose={() => setConfirming(null)}
          onConfirm={() => create.mutateAsync(id)}
        />
      )}
      {confirming === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteSecretTitle")}
          text={t("deleteSecretText")}
          action={t("deleteSecret")}
          onClose={() => setConfirming(null)}
          onConfirm={() =>
            remove.mutateAsync(id, { onSuccess: () => toast.success(t("secretDeleted")) })
          }
        />
      )}
      {create.isSuccess && confirming === null && (
        <SecretDialog
          title={t("secretTitle")}
          text={t("secretText")}
          label={t("secret")}
          value={create.data}
          onClose={() => create.reset()}
        />
      )}
    </FormSection>
  );
}
