import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../../lib/error-message.ts";
import { CircleAlert, Folder, FolderPlus } from "lucide-react";
import { useId, useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { foldersQuery } from "../api/library.ts";
import { rootFolder } from "../state/folder-tree.ts";

/** Folders beyond this number can only be found by typing. */
const mostShown = 200;

/** Asks for an existing folder or the name of a new one. */
export function MoveDialog({
  count,
  onMove,
  onClose,
}: {
  count: number;
  /** Throws an error whose message is shown to the user. */
  onMove: (folder: string) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation(["library", "common"]);
  const id = useId();
  const folders = useQuery(foldersQuery).data?.tree;
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const names = useMemo(
    () => [
      rootFolder,
      ...[...(folders?.byName.keys() ?? [])].sort((a, b) =>
        a.localeCompare(b, undefined, { numeric: true }),
      ),
    ],
    [folders],
  );
  const wanted = typed.trim().replace(/^\/+|\/+$/g, "");
  const fitting = names.filter((name) =>
    (name === rootFolder ? t("root") : name)
      .toLocaleLowerCase()
      .includes(wanted.toLocaleLowerCase()),
  );
  const known = names.find((name) => name.toLocaleLowerCase() === wanted.toLocaleLowerCase());
  const move = async (folder: string): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await onMove(folder);
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wanted !== "") void move(known ?? wanted);
  };
  return (
    <Dialog open onClose={onClose} title={t("moveTitle", { count, text: formatNumber(count) })}>
      <form className="grid gap-4" onSubmit={submit}>
        <div className="field">
          <label htmlFor={id}>{t("moveField")}</label>
          <input
            id={id}
            className={problem ? "input bad" : "input"}
            value={typed}
            maxLength={808}
            autoFocus
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(null);
            }}
            aria-invalid={problem ? true : undefined}
            aria-describedby={`${id}-note`}
          />
          {problem ? (
            <p className="err" id={`${id}-note`} role="alert">
              <CircleAlert className="i sm" aria-hidden="true" />
              {problem}
            </p>
          ) : (
            <p className="help" id={`${id}-note`}>
              {t("moveHelp")}
            </p>
          )}
        </div>
        <ul className="pick-list" aria-label={t("moveFolders")}>
          {fitting.slice(0, mostShown).map((name) => (
            <li key={name}>
              <button type="button" className="nav" disabled={busy} onClick={() => void move(name)}>
                <Folder className="i sm" aria-hidden="true" />
                <span className="cut">{name === rootFolder ? t("root") : name}</span>
                <span className="t3 num ms-auto">
                  {formatNumber(
                    name === rootFolder
                      ? (folders?.rootDocuments ?? 0)
                      : (folders?.byName.get(name)?.deep ?? 0),
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <footer>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("common:cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={busy || wanted === ""}>
            {known === undefined && wanted !== "" && (
              <FolderPlus className="i sm" aria-hidden="true" />
            )}
            {busy
              ? t("moving")
              : known === undefined && wanted !== ""
                ? t("makeAndMove")
                : t("moveHere")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
