import { Check as Tick, ChevronDown, ChevronRight, FileText, Folder, X } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { addTo } from "../api/library.ts";
import { act } from "../state/acts.ts";
import { idsAtOnce } from "../state/chosen.ts";
import { unstage, unstageOne, useStaged } from "../state/staged.ts";

/** The rest is only counted; it can be discarded all at once. */
const mostListed = 200;

/** Documents moved here but not yet added. */
export function StagedBar({ slug }: { slug: string }) {
  const { t } = useTranslation("library");
  const { documents, filters } = useStaged(slug);
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const listId = useId();
  const entries = Object.entries(documents);
  const count = entries.length + filters.reduce((sum, each) => sum + each.count, 0);
  if (entries.length + filters.length === 0) return null;
  const names = [...filters.map((each) => each.name), ...Object.values(documents)];
  const shown = names.slice(0, 3).join(", ");
  const label = t("staged", { count, text: formatNumber(count) });
  const save = async (): Promise<void> => {
    setBusy(true);
    const portions = Array.from({ length: Math.ceil(entries.length / idsAtOnce) }, (_, n) => ({
      documentIds: entries.slice(n * idsAtOnce, (n + 1) * idsAtOnce).map(([id]) => id),
    }));
    if (await act("added", [...filters.map((each) => each.selection), ...portions], addTo(slug)))
      unstage(slug);
    setBusy(false);
  };
  const row = (
    key: string,
    icon: "folder" | "file",
    name: string,
    some: number | null,
    takeOut: () => void,
  ) => (
    <li key={key}>
      {icon === "folder" ? (
        <Folder className="i sm t3" aria-hidden="true" />
      ) : (
        <FileText className="i sm t3" aria-hidden="true" />
      )}
      <span className="cut grow" title={name}>
        <bdi>{name}</bdi>
      </span>
      {some !== null && <span className="t3 num xs">{formatNumber(some)}</span>}
      <IconButton className="sm" label={t("unstage", { name })} disabled={busy} onClick={takeOut}>
        <X className="i sm" />
      </IconButton>
    </li>
  );
  const all = [
    ...filters.map((each, index) =>
      row(`f${index}`, "folder", each.name, each.count, () => unstageOne(slug, each)),
    ),
    ...entries.map(([id, name]) => row(id, "file", name, null, () => unstageOne(slug, id))),
  ];
  return (
    <div className="staged" role="region" aria-label={label}>
      <div className="row">
        <IconButton
          className="sm"
          label={t(open ? "hideStaged" : "showStaged")}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown className="i sm" /> : <ChevronRight className="i sm flip" />}
        </IconButton>
        <div className="grow min-w-0">
          <b role="status">{label}</b>
          {!open && (
            <p className="xs t3 cut">
              {names.length > 3
                ? t("stagedNames", { names: shown, more: formatNumber(names.length - 3) })
                : shown}
            </p>
          )}
        </div>
        <button
          type="button"
          className="btn quiet sm"
          disabled={busy}
          onClick={() => unstage(slug)}
        >
          {t("discard")}
        </button>
        <button
          type="button"
          className="btn primary sm"
          disabled={busy}
          onClick={() => void save()}
        >
          <Tick className="i sm" aria-hidden="true" />
          {busy ? t("saving") : t("saveAndEmbed")}
        </button>
      </div>
      {open && (
        <ul className="staged-list" id={listId}>
          {all.slice(0, mostListed)}
          {all.length > mostListed && (
            <li className="t3 xs">
              {t("stagedMore", { text: formatNumber(all.length - mostListed) })}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
