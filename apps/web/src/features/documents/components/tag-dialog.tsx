import { useQuery } from "@tanstack/react-query";
import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Field, FieldError, FieldHelp } from "../../../components/ui/field.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { useTagDocuments } from "../api/bulk-actions.ts";
import { foldersQuery } from "../api/library.ts";
import type { Chosen } from "../state/chosen.ts";
import { Checkbox } from "../../../components/ui/checkbox.tsx";

type Held = "all" | "some" | "none";
const longestTag = 60;

/**
 * Whether all, some or none of the selected documents have a tag. Tags are unknown for folders and
 * filter selections, so the answer there is "some".
 */
function heldBy(chosen: Chosen, tag: string): Held {
  if (chosen.all || chosen.folders.size > 0) return "some";
  const having = [...chosen.documents.values()].filter((document) =>
    document.tags.includes(tag),
  ).length;
  return having === 0 ? "none" : having === chosen.documents.size ? "all" : "some";
}

/** Adds tags to the selected documents and removes them. */
export function TagDialog({
  chosen,
  count,
  onDone,
  onClose,
}: {
  chosen: Chosen;
  count: number;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(["library", "common"]);
  const id = useId();
  const known = useQuery(foldersQuery).data?.tags ?? [];
  const [typed, setTyped] = useState("");
  const [made, setMade] = useState<string[]>([]);
  const [changed, setChanged] = useState<Record<string, Held>>({});
  const tagging = useTagDocuments(false);
  const problem = tagging.error?.message;
  const own = [...chosen.documents.values()].flatMap((document) => document.tags);
  const tags = [...new Set([...known, ...own, ...made])].sort((a, b) => a.localeCompare(b));
  const wanted = typed.trim();
  const take = (): void => {
    if (wanted === "") return;
    const tag =
      tags.find((each) => each.toLocaleLowerCase() === wanted.toLocaleLowerCase()) ?? wanted;
    setMade((list) => [...list, tag]);
    setChanged((all) => ({ ...all, [tag]: "all" }));
    setTyped("");
  };
  const held = (tag: string): Held => changed[tag] ?? heldBy(chosen, tag);
  const turn = (tag: string): void =>
    setChanged((all) => ({ ...all, [tag]: held(tag) === "all" ? "none" : "all" }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (tagging.isPending) return;
    const entries = Object.entries({
      ...changed,
      ...(wanted === "" ? {} : { [wanted]: "all" as const }),
    });
    const add = entries
      .filter(([tag, now]) => now === "all" && heldBy(chosen, tag) !== "all")
      .map(([tag]) => tag);
    const remove = entries
      .filter(([tag, now]) => now === "none" && heldBy(chosen, tag) !== "none")
      .map(([tag]) => tag);
    if (add.length + remove.length === 0) return onClose();
    tagging.mutate(
      { documents: chosen, add, remove },
      {
        onSuccess: () => {
          onDone();
          onClose();
        },
      },
    );
  };
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && wanted !== "") {
      event.preventDefault();
      take();
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("tagTitle", { count, text: formatNumber(count) })}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field>
          <label htmlFor={id}>{t("tagField")}</label>
          <div className="flex items-center gap-2">
            <Input
              id={id}
              className="min-w-0 flex-1"
              value={typed}
              maxLength={longestTag}
              autoFocus
              autoComplete="off"
              placeholder={t("tagPlaceholder")}
              onChange={(event) => {
                setTyped(event.target.value);
                tagging.reset();
              }}
              onKeyDown={onEnter}
            />
            <Button disabled={wanted === ""} onClick={take}>
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
                    mixed={held(tag) === "some"}
                    checked={held(tag) === "all"}
                    onChange={() => turn(tag)}
                  />
                  <span className="truncate">{tag}</span>
                </label>
              ))}
            </div>
            {tags.some((tag) => held(tag) === "some") && <FieldHelp>{t("tagHelp")}</FieldHelp>}
          </Field>
        )}
        <footer>
          <Button variant="quiet" onClick={onClose}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={tagging.isPending}>
            {tagging.isPending ? t("saving") : t("saveTags")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
