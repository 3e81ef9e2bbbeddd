import { useQuery } from "@tanstack/react-query";
import { Folder, FolderPlus } from "lucide-react";
import { useId, useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldError, FieldHelp, FieldLabel, Input } from "../../../components/ui/field.tsx";
import { navRow } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMoveDocuments } from "../api/bulk-actions.ts";
import { foldersQuery } from "../api/library.ts";
import { rootFolder } from "../state/folder-tree.ts";
import type { SelectedDocuments } from "../state/selected-documents.ts";

/** Folders beyond this number can only be found by typing. */
const maxShown = 200;

/** Asks for an existing folder or the name of a new one. */
export function MoveDialog({
  selected,
  count,
  onDone,
  onClose,
}: {
  selected: SelectedDocuments;
  count: number;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(["documents-manager", "common"]);
  const id = useId();
  const folders = useQuery(foldersQuery).data?.tree;
  const [typed, setTyped] = useState("");
  const moving = useMoveDocuments(false);
  const busy = moving.isPending;
  const problem = moving.error?.message;
  const choices = useMemo(
    () => [
      { name: rootFolder, path: t("root"), documents: folders?.rootDocuments ?? 0 },
      ...[...(folders?.byName.values() ?? [])]
        .map(({ name, path, deep }) => ({ name, path, documents: deep }))
        .sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true })),
    ],
    [folders, t],
  );
  const typedName = typed.trim().replace(/^\/+|\/+$/g, "");
  const typedKey = typedName.toLocaleLowerCase();
  const matching = choices.filter(({ path }) => path.toLocaleLowerCase().includes(typedKey));
  const known = choices.find(({ name, path }) =>
    [name, path].some((text) => text.toLocaleLowerCase() === typedKey),
  )?.name;
  const move = (folder: string): void => {
    if (busy) return;
    moving.mutate(
      { documents: selected, folder },
      {
        onSuccess: () => {
          onDone();
          onClose();
        },
      },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typedName !== "") move(known ?? typedName);
  };
  return (
    <Dialog open onClose={onClose} title={t("moveTitle", { count, text: formatNumber(count) })}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field>
          <FieldLabel htmlFor={id}>{t("moveField")}</FieldLabel>
          <Input
            id={id}
            invalid={Boolean(problem)}
            value={typed}
            maxLength={808}
            autoFocus
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.target.value);
              moving.reset();
            }}
            aria-invalid={problem ? true : undefined}
            aria-describedby={`${id}-note`}
          />
          {problem ? (
            <FieldError id={`${id}-note`} role="alert">
              {problem}
            </FieldError>
          ) : (
            <FieldHelp id={`${id}-note`}>{t("moveHelp")}</FieldHelp>
          )}
        </Field>
        <ul className="-mx-2 grid max-h-[280px] overflow-auto" aria-label={t("moveFolders")}>
          {matching.slice(0, maxShown).map(({ name, path, documents }) => (
            <li key={name}>
              <button
                type="button"
                className={cn(navRow, "min-h-8 text-fg-1")}
                disabled={busy}
                onClick={() => move(name)}
              >
                <Folder className="size-3.5 stroke-2" aria-hidden="true" />
                <span className="truncate" title={path}>
                  <bdi>{path}</bdi>
                </span>
                <span className="ms-auto text-fg-3 tabular-nums">{formatNumber(documents)}</span>
              </button>
            </li>
          ))}
        </ul>
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={busy || typedName === ""}>
            {known === undefined && typedName !== "" && (
              <FolderPlus className="size-3.5 stroke-2" aria-hidden="true" />
            )}
            {busy
              ? t("moving")
              : known === undefined && typedName !== ""
                ? t("createFolderAndMove")
                : t("moveHere")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
