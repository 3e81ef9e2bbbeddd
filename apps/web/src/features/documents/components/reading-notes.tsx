import { documentEncodings, type WorkspaceDocumentStatus } from "@carrel/contracts";
import { CaseSensitive } from "lucide-react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import type { ChosenEncoding } from "../api/workspace-documents.ts";
import { isEncodingNote } from "../state/reading-notes.ts";
import { statusLink } from "./status-line.tsx";

/** What was left out of a document or only assumed; a wrong encoding can be changed here. */
export function ReadingNotes({
  document,
  tabIndex,
  onRead,
}: {
  document: WorkspaceDocumentStatus;
  tabIndex: number;
  /** Reads the document again; null if the user may not. */
  onRead: ((encoding: ChosenEncoding) => void) | null;
}) {
  const { t } = useTranslation("library");
  const notes = (document.notes ?? []).filter((note) => typeof note !== "string");
  return notes.map((note) => (
    <span key={JSON.stringify(note)} className="block text-xs text-fg-3" data-note={note.code}>
      <FaultText fault={note} fallback="" />
      {isEncodingNote(note) && onRead && document.hasOriginal && (
        <>
          {" "}
          <Menu
            trigger={
              <button
                type="button"
                className={statusLink}
                tabIndex={tabIndex}
                aria-label={t("encoding.changeOf", { name: document.title })}
              >
                {t("encoding.change")}
              </button>
            }
            items={documentEncodings.map((encoding) => ({
              label: t("encoding.option", { encoding, writing: t(`encoding.of.${encoding}`) }),
              icon: CaseSensitive,
              checked: note.params?.encoding === encoding,
              run: () => onRead(encoding),
            }))}
          />
        </>
      )}
    </span>
  ));
}
