import { revokeShare } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../lib/api.ts";
import { shareKeys } from "../lib/share.ts";
import { toast } from "../lib/toast.ts";
import { ConfirmDialog } from "./ui/overlays.tsx";

/** Asks for confirmation before a share link is revoked. */
export function RevokeShareDialog({
  id,
  onClose,
  onRevoked,
}: {
  id: number;
  onClose: () => void;
  onRevoked?: () => void;
}) {
  const { t } = useTranslation("share");
  const revoke = useMutation({
    mutationFn: () => call(revokeShare, { id }),
    meta: {
      invalidates: [shareKeys.all],
      errorToast: (message) => t("revokeFailed", { message }),
    },
  });
  return (
    <ConfirmDialog
      open
      title={t("revokeTitle")}
      text={t("revokeText")}
      action={t("revoke")}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutateAsync(undefined, {
          onSuccess: () => {
            toast.success(t("revoked"));
            onRevoked?.();
          },
        })
      }
    />
  );
}
