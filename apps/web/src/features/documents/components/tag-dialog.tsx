import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../../lib/error-message.ts";
import { CircleAlert } from "lucide-react";
import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { foldersQuery } from "../api/library.ts";
import type { Chosen } from "../state/chosen.ts";
import { Check } from "./check.tsx";

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
  onSave,
  onClose,
}: {
  chosen: Chosen;
  count: number;
  /** Throws an error whose message is shown to the user. */
  onSave: (add: string[], remove: string[]) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation(["library", "common"]);
  const id = useId();
  const known = useQuery(foldersQuery).data?.tags ?? [];
  const [typed, setTyped] = useState("");
  const [made, setMade] = useState<string[]>([]);
  const [changed, setChanged] = useState<Record<string, Held>>({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
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
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
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
    setBusy(true);
    try {
      await onSave(add, remove);
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && wanted !== "") {
      event.preventDefault();
      take();
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("tagTitle", { count, text: formatNumber(count) })}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <div className="field">
          <label htmlFor={id}>{t("tagField")}</label>
          <div className="row">
            <input
              id={id}
              className="input grow"
              value={typed}
              maxLength={longestTag}
              autoFocus
              autoComplete="off"
              placeholder={t("tagPlaceholder")}
              onChange={(event) => {
                setTyped(event.target.value);
                setProblem(null);
              }}
              onKeyDown={onEnter}
            />
            <button type="button" className="btn" disabled={wanted === ""} onClick={take}>
              {t("tagAdd")}
            </button>
          </div>
          {problem && (
            <p className="err" role="alert">
              <CircleAlert className="i sm" aria-hidden="true" />
              {problem}
            </p>
          )}
        </div>
        {tags.length === 0 ? (
          <p className="t3">{t("noTags")}</p>
        ) : (
          <div className="field">
            <div className="tag-list" role="group" aria-label={t("tags")}>
              {tags.map((tag) => (
                <label key={tag} className="tag-choice">
                  <Check
                    mixed={held(tag) === "some"}
                    checked={held(tag) === "all"}
                    onChange={() => turn(tag)}
                  />
                  <span className="cut">{tag}</span>
                </label>
              ))}
            </div>
            {tags.some((tag) => held(tag) === "some") && <p className="help">{t("tagHelp")}</p>}
          </div>
        )}
        <footer>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("common:cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={busy}>
            {busy ? t("saving") : t("saveTags")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
