import { Copy, Download, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { copyText, saveText } from "../../../lib/clipboard.ts";
import { toast } from "../../../lib/toast.ts";
import type { MadeInvite } from "../api/invites.ts";
import { linksAsText } from "../state/invite-list.ts";

/**
 * The links of a list of people: a table to copy or download. Only its button closes it, because
 * only admins can see the links again.
 */
export function InviteLinksDialog({
  invites,
  isAdmin,
  onClose,
}: {
  invites: readonly MadeInvite[];
  isAdmin: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("admin");
  const rows = invites.map(({ label, role, link }) => [label ?? "", t(`users.role.${role}`), link]);
  const head = [t("invites.columnFor"), t("users.roleLabel"), t("invites.link")];
  return (
    <Dialog
      open
      onClose={() => undefined}
      title={t("invites.linksTitle", { count: invites.length })}
      description={t("invites.linksText")}
      className="w-[min(720px,100vw-24px)]"
    >
      <div
        className="max-h-[45vh] overflow-auto rounded-md border border-line"
        role="region"
        aria-label={t("invites.linksTitle", { count: invites.length })}
        tabIndex={0 /* scrolled by keyboard */}
      >
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-overlay text-start text-fg-3">
            <tr>
              {head.map((name) => (
                <th key={name} className="px-3 py-2 text-start font-medium" scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {invites.map(({ id, label, role, link }) => (
              <tr key={id} className="border-t border-subtle">
                <td
                  className="max-w-[24ch] truncate px-3 py-2"
                  title={label ?? undefined}
                  dir="auto"
                >
                  {label}
                </td>
                <td className="px-3 py-2 whitespace-nowrap text-fg-2">{t(`users.role.${role}`)}</td>
                <td className="px-3 py-2 font-mono text-xs whitespace-nowrap" dir="ltr">
                  {link}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isAdmin ? (
        <Notice>
          <p>{t("invites.copyLater")}</p>
        </Notice>
      ) : (
        <Notice kind="warn" icon={<TriangleAlert aria-hidden="true" />}>
          <p>
            <b>{t("invites.linksOnceTitle")}.</b> {t("invites.onceText")}
          </p>
        </Notice>
      )}
      <DialogFooter>
        <Button
          onClick={() =>
            void copyText(linksAsText([head, ...rows], "tsv")).then(() =>
              toast.success(t("invites.linksCopied")),
            )
          }
        >
          <Copy className="size-3.5 stroke-2" aria-hidden="true" />
          {t("invites.copyTable")}
        </Button>
        <Button onClick={() => saveText("invites.csv", linksAsText([head, ...rows], "csv"))}>
          <Download className="size-3.5 stroke-2" aria-hidden="true" />
          {t("invites.downloadTable")}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
