import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { useCreateWidget } from "../api/widgets.ts";

/** Creates a widget, which no site may use until its settings say so. */
export function WidgetDialog({
  onCreated,
  onClose,
}: {
  onCreated: (id: number) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("widgets");
  const workspaces = useQuery(workspacesQuery);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const create = useCreateWidget();
  const error = create.error ?? workspaces.error;
  const all = workspaces.data ?? [];
  const workspaceId = chosen ?? String(all[0]?.id ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (create.isPending || workspaceId === "") return;
    create.mutate(
      { name: name.trim(), workspace_id: Number(workspaceId), allow_any_origin: false },
      { onSuccess: onCreated },
    );
  };
  return (
    <Dialog open onClose={onClose} title={t("newTitle")} description={t("newText")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label={t("name")}
          extra={<span className="text-fg-3">{t("optional")}</span>}
          help={t("nameHelp")}
          value={name}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField label={t("workspace")} value={workspaceId} onChange={setChosen}>
          {all.map((workspace) => (
            <option key={workspace.id} value={workspace.id}>
              {workspace.name}
            </option>
          ))}
        </SelectField>
        {error && (
          <Notice kind="bad">
            <p>{error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={create.isPending || workspaceId === ""}>
            {t(create.isPending ? "creating" : "create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
