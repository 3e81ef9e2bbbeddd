import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { toast } from "../../../lib/toast.ts";
import { usersQuery } from "../api/users.ts";
import { useUpdateMembers, type AdminWorkspace } from "../api/workspaces.ts";
import { compareValues } from "./data-table.tsx";
import { PickList } from "./pick-list.tsx";

/**
 * Selects a workspace's members. Managers and admins have access anyway; their existing memberships
 * are kept.
 */
export function MembersDialog({
  workspace,
  onClose,
}: {
  workspace: AdminWorkspace;
  onClose: () => void;
}) {
  const { t } = useTranslation("admin");
  const users = useQuery(usersQuery);
  const [chosen, setChosen] = useState(() => new Set(workspace.userIds));
  const update = useUpdateMembers();
  const picks = useMemo(
    () =>
      (users.data ?? [])
        .toSorted(
          (a, b) =>
            Number(a.role !== "default") - Number(b.role !== "default") ||
            compareValues(a.username, b.username),
        )
        .map((user) =>
          user.role === "default"
            ? {
                id: user.id,
                name: user.username,
                ...(user.suspended === 1 && { mark: t("users.suspended") }),
              }
            : {
                id: user.id,
                name: user.username,
                mark: `${t(`users.role.${user.role}`)}: ${t("workspaces.seesAll").toLowerCase()}`,
                fixed: true,
              },
        ),
    [users.data, t],
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (update.isPending) return;
    const onSuccess = (): void => {
      toast.success(t("workspaces.membersSaved", { name: workspace.name }));
      onClose();
    };
    update.mutate({ id: workspace.id, userIds: [...chosen] }, { onSuccess });
  };
  const count = picks.filter((pick) => !("fixed" in pick) && chosen.has(pick.id)).length;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("workspaces.membersTitle", { name: workspace.name })}
      description={t("workspaces.membersText")}
      className="form-dialog"
    >
      <form className="grid gap-4" onSubmit={submit}>
        {users.error && (
          <Notice kind="bad">
            <p>{users.error.message}</p>
          </Notice>
        )}
        {users.isPending ? (
          <div className="grid gap-4 p-4" aria-busy="true" aria-label={t("loading")}>
            {[52, 38, 45].map((width) => (
              <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        ) : (
          <PickList
            label={t("workspaces.columnMembers")}
            search={t("workspaces.searchUsers")}
            picks={picks}
            chosen={chosen}
            onChange={setChosen}
          />
        )}
        {update.error && (
          <Notice kind="bad">
            <p>{t("workspaces.membersFailed", { message: update.error.message })}</p>
          </Notice>
        )}
        <footer>
          <span className="t3 xs num grow" role="status">
            {t("workspaces.chosen", { count })}
          </span>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={update.isPending || !users.data}>
            {update.isPending ? t("saving") : t("workspaces.saveMembers")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
