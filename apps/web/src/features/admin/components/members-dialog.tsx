import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
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
  const [selected, setSelected] = useState(() => new Set(workspace.userIds));
  const update = useUpdateMembers();
  const items = useMemo(
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
    update.mutate({ id: workspace.id, userIds: [...selected] }, { onSuccess });
  };
  const count = items.filter((item) => !("fixed" in item) && selected.has(item.id)).length;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("workspaces.membersTitle", { name: workspace.name })}
      description={t("workspaces.membersText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        {users.error && (
          <Notice kind="bad">
            <p>{users.error.message}</p>
          </Notice>
        )}
        {users.isPending ? (
          <div className="grid gap-4 p-4" role="status" aria-busy="true" aria-label={t("loading")}>
            {[52, 38, 45].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        ) : (
          <PickList
            label={t("workspaces.columnMembers")}
            search={t("workspaces.searchUsers")}
            items={items}
            selected={selected}
            onChange={setSelected}
          />
        )}
        {update.error && (
          <Notice kind="bad">
            <p>{t("workspaces.membersFailed", { message: update.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          <span className="text-fg-3 text-xs tabular-nums min-w-0 flex-1" role="status">
            {t("workspaces.chosen", { count })}
          </span>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={update.isPending || !users.data}>
            {update.isPending ? t("saving") : t("workspaces.saveMembers")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
