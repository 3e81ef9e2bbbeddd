import { useQuery } from "@tanstack/react-query";
import { Folder, FolderPlus } from "lucide-react";
import { useId, useMemo, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldError, FieldHelp, FieldLabel, Input } from "../../../components/ui/field.tsx";
import { navRow } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMoveDocuments, useTagDocuments } from "../api/bulk-actions.ts";
import { foldersQuery } from "../api/library.ts";
import { rootFolder } from "../state/folder-tree.ts";
import type { SelectedDocuments } from "../state/selected-documents.ts";

type TagState = "all" | "some" | "none";
const maxTagLength = 60;

/**
 * Whether all, some or none of the selected documents have a tag. The tags of folders and filter
 * selections aren't known, so the answer for those is "some".
 */
function initialTagState(selected: SelectedDocuments, tag: string): TagState {
  if (selected.all || selected.folders.size > 0) return "some";
  const tagged = [...selected.documents.values()].filter((document) =>
    document.tags.includes(tag),
  ).length;
  return tagged === 0 ? "none" : tagged === selected.documents.size ? "all" : "some";
}

/** Adds tags to the selected documents and removes them. */
export function TagDialog({
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
  const known = useQuery(foldersQuery).data?.tags ?? [];
  const [typed, setTyped] = useState("");
  const [created, setCreated] = useState<string[]>([]);
  const [changed, setChanged] = useState<Record<string, TagState>>({});
  const tagging = useTagDocuments(false);
  const problem = tagging.error?.message;
  const own = [...selected.documents.values()].flatMap((document) => document.tags);
  const tags = [...new Set([...known, ...own, ...created])].sort((a, b) => a.localeCompare(b));
  const typedTag = typed.trim();
  const addTag = (): void => {
    if (typedTag === "") return;
    const tag =
      tags.find((each) => each.toLocaleLowerCase() === typedTag.toLocaleLowerCase()) ?? typedTag;
    setCreated((list) => [...list, tag]);
    setChanged((all) => ({ ...all, [tag]: "all" }));
    setTyped("");
  };
  const tagState = (tag: string): TagState => changed[tag] ?? initialTagState(selected, tag);
  const toggle = (tag: string): void =>
    setChanged((all) => ({ ...all, [tag]: tagState(tag) === "all" ? "none" : "all" }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (tagging.isPending) return;
    const entries = Object.entries({
      ...changed,
      ...(typedTag === "" ? {} : { [typedTag]: "all" as const }),
    });
    const add = entries
      .filter(([tag, now]) => now === "all" && initialTagState(selected, tag) !== "all")
      .map(([tag]) => tag);
    const remove = entries
      .filter(([tag, now]) => now === "none" && initialTagState(selected, tag) !== "none")
      .map(([tag]) => tag);
    if (add.length + remove.length === 0) return onClose();
    tagging.mutate(
      { documents: selected, add, remove },
      {
        onSuccess: () => {
          onDone();
          onClose();
        },
      },
    );
  };
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && typedTag !== "") {
      event.preventDefault();
      addTag();
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("tagTitle", { count, text: formatNumber(count) })}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field>
          <FieldLabel htmlFor={id}>{t("tagField")}</FieldLabel>
          <div className="flex items-center gap-2">
            <Input
              id={id}
              className="min-w-0 flex-1"
              value={typed}
              maxLength={maxTagLength}
              autoFocus
              autoComplete="off"
              placeholder={t("tagPlaceholder")}
              onChange={(event) => {
                setTyped(event.target.value);
                tagging.reset();
              }}
              onKeyDown={onEnter}
            />
            <Button disabled={typedTag === ""} onClick={addTag}>
              {t("tagAdd")}
            </Button>
          </div>
          {problem && <FieldError role="alert">{problem}</FieldError>}
        </Field>
        {tags.length === 0 ? (
          <p className="text-fg-3">{t("noTags")}</p>
        ) : (
          <Field>
            <div
              className="-m-1.5 grid max-h-[260px] grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-x-4 gap-y-1 overflow-auto p-1.5"
              role="group"
              aria-label={t("tags")}
            >
              {tags.map((tag) => (
                <label
                  key={tag}
                  className="flex min-h-6 min-w-0 cursor-pointer items-center gap-2 max-md:min-h-9"
                >
                  <Checkbox
                    mixed={tagState(tag) === "some"}
                    checked={tagState(tag) === "all"}
                    onChange={() => toggle(tag)}
                  />
                  <span className="truncate" dir="auto">
                    {tag}
                  </span>
                </label>
              ))}
            </div>
            {tags.some((tag) => tagState(tag) === "some") && <FieldHelp>{t("tagHelp")}</FieldHelp>}
          </Field>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={tagging.isPending}>
            {tagging.isPending ? t("saving") : t("saveTags")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

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
                <span className="truncate" title={path} dir="auto">
                  {path}
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
