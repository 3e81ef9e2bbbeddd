import "../texts.ts";
import "../../../styles/documents-manager.css";
import type { LibraryDocument, WorkspaceDocumentStatus } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Activity, MonitorUp, Upload } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { onChange } from "../../../lib/changes.ts";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { foldersQuery, moveTo, libraryKeys, processorQuery } from "../api/library.ts";
import { act } from "../state/acts.ts";
import { useDragZones } from "../state/drag-zones.ts";
import { readDropped, type Dropped } from "../state/dropped-files.ts";
import { rootFolder } from "../state/folder-tree.ts";
import { linksIn } from "../state/pasted-links.ts";
import { refreshSoon } from "../state/refresh.ts";
import { stage, stagedOf } from "../state/staged.ts";
import { useUploads } from "../state/shown-uploads.ts";
import { addDropped, addLinks, summarise } from "../state/uploads.ts";
import { useIsPhone } from "../state/wide-screen.ts";
import { ActDialogs, type Ask } from "./act-dialogs.tsx";
import { ActivityDialog } from "./activity-dialog.tsx";
import { Intake, readEmbedToo } from "./intake.tsx";
import { LibraryPane, openFolder } from "./library-pane.tsx";
import { WorkspacePane } from "./workspace-pane.tsx";

export interface DocumentsManagerProps {
  slug: string;
  workspaceId: number | undefined;
  name: string;
  /** null while loading. */
  count: { documents: number; failed: number } | null;
  accept: string;
  /** Whether the user may change documents. */
  manager: boolean;
  /** `slug` is null for a library document. */
  onOpen: (documentId: string, slug: string | null) => void;
  /** Renders the top bar with these buttons. */
  bar: (buttons: ReactNode) => ReactNode;
}

/**
 * My documents and the workspace's documents side by side; on a phone only the workspace's
 * documents and the ways to add more.
 */
export function DocumentsManager({
  slug,
  workspaceId,
  name,
  count,
  accept,
  manager,
  onOpen,
  bar,
}: DocumentsManagerProps) {
  const { t } = useTranslation(["library", "documents"]);
  const phone = useIsPhone();
  const [tab, setTab] = useState<"library" | "workspace">("workspace");
  const [ask, setAsk] = useState<Ask | null>(null);
  const [activity, setActivity] = useState(false);
  const [reading, setReading] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const offline = useQuery({ ...processorQuery, enabled: manager }).data === false;
  const takes = manager && !offline;

  useEffect(
    () =>
      !manager
        ? undefined
        : onChange((frame) => {
            // The page may have missed changes while disconnected.
            const missed = frame.type === "connected" || frame.type === "reconnected";
            if (
              missed ||
              frame.type === "library.changed" ||
              frame.type === "workspace-documents.changed"
            ) {
              refreshSoon(libraryKeys.all);
              refreshSoon(libraryKeys.folders);
            }
            if (missed) refreshSoon(libraryKeys.processor);
          }),
    [manager],
  );

  const take = useCallback(
    (dropped: Dropped, zone: "library" | "workspace", folder: string | null) => {
      addDropped(slug, dropped, {
        folder: folder === null || folder === rootFolder ? "" : folder,
        embed: zone === "workspace" || readEmbedToo(),
      });
      const kinds = dropped.skipped.filter((each) => each.why === "kind").length;
      if (kinds > 0) toast.info(t("documents:skipped", { count: kinds }));
      else if (dropped.files.length + dropped.skipped.length === 0)
        toast.info(t("documents:emptyFolder"));
    },
    [slug, t],
  );
  const place = useDragZones(
    !takes
      ? null
      : {
          files: (transfer, zone, folder) => {
            setReading(true);
            void readDropped([...transfer.items], accept)
              .then((dropped) => take(dropped, zone, zone === "library" ? folder : null))
              .finally(() => setReading(false));
          },
          documents: (dragged, zone, folder) => {
            if (zone === "library")
              return void act("moved", dragged.chosen, moveTo(folder ?? rootFolder));
            if (dragged.from === "library")
              stage(slug, stagedOf(dragged.chosen, dragged.deepCount, t("myDocuments")));
          },
          linger: (folder) => {
            if (folder !== rootFolder) openFolder(folder);
          },
        },
  );

  useEffect(() => {
    if (!takes) return;
    const paste = (event: ClipboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (
        target?.closest(
          'input:not([type="checkbox"]), textarea, [contenteditable="true"], [role="dialog"]',
        )
      )
        return;
      const files = [...(event.clipboardData?.files ?? [])];
      const links = linksIn(event.clipboardData?.getData("text/plain") ?? "");
      if (files.length + links.length === 0) return;
      event.preventDefault();
      if (files.length > 0)
        take(
          { files: files.map((file) => ({ file, folder: "" })), skipped: [] },
          "workspace",
          null,
        );
      if (links.length === 0) return;
      addLinks(slug, links, { embed: readEmbedToo() });
      toast.info(t("linksQueued", { count: links.length }));
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [takes, slug, take, t]);

  // With a document open there may be room for only one list: keep the one it was opened from.
  const open = useCallback(
    (document: WorkspaceDocumentStatus) => {
      setTab("workspace");
      onOpen(document.documentId, slug);
    },
    [onOpen, slug],
  );
  const openLibrary = useCallback(
    (document: LibraryDocument) => {
      setTab("library");
      onOpen(document.documentId, null);
    },
    [onOpen],
  );
  const showActivity = useCallback(() => setActivity(true), []);
  const library = manager && !phone;
  const folderLabel =
    place?.folder && place.folder !== rootFolder ? place.folder : t("myDocuments");
  const intake = manager && (
    <Intake
      slug={slug}
      accept={accept}
      offline={offline}
      always={!library}
      onActivity={showActivity}
    />
  );
  return (
    <main className="main dm-frame" id="main">
      {bar(
        manager && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              accept={accept}
              aria-label={t("workspace.upload")}
              onChange={({ target }) => {
                take(
                  {
                    files: [...(target.files ?? [])].map((file) => ({ file, folder: "" })),
                    skipped: [],
                  },
                  "workspace",
                  null,
                );
                target.value = "";
              }}
            />
            <ActivityButton slug={slug} onClick={showActivity} />
            <button
              type="button"
              className="btn primary sm"
              disabled={offline}
              onClick={() => picker.current?.click()}
            >
              <Upload className="i sm" aria-hidden="true" />
              {t("workspace.upload")}
            </button>
          </>
        ),
      )}
      {manager && phone && (
        <div className="px-4 pt-3">
          <Notice icon={<MonitorUp className="i" aria-hidden="true" />}>
            <p>
              <b>{t("desktopTitle")}</b>
            </p>
            <p>{t("desktopText")}</p>
          </Notice>
        </div>
      )}
      <div className={library ? "dm" : "dm is-single"} data-tab={tab}>
        {library && <LibraryTabs tab={tab} total={count?.documents ?? null} onTab={setTab} />}
        {library && (
          <LibraryPane
            slug={slug}
            workspaceId={workspaceId}
            onOpen={openLibrary}
            onAsk={setAsk}
            over={place?.zone === "library" ? place.folder : null}
            intake={intake}
          />
        )}
        <WorkspacePane
          slug={slug}
          name={name}
          count={count}
          manager={manager}
          whole={library}
          onOpen={open}
          onAsk={setAsk}
          onActivity={showActivity}
          intake={library ? null : intake}
        />
        {place && (
          <DropHint
            zone={library ? place.zone : "workspace"}
            words={
              place.zone === "library" && library
                ? t(place.what === "files" ? "dropLibrary" : "dropMoveFolder", {
                    folder: folderLabel,
                  })
                : t(place.what === "files" ? "dropWorkspace" : "dropMove", { name })
            }
            more={
              place.what !== "files"
                ? null
                : place.count > 0
                  ? t("documents:dropFiles", { count: place.count })
                  : t("documents:dropHere")
            }
          />
        )}
        {reading && (
          <div className="reading-drop" role="status">
            {t("readingDrop")}
          </div>
        )}
      </div>
      <ActDialogs ask={ask} slug={slug} name={name} onClose={() => setAsk(null)} />
      {activity && <ActivityDialog slug={slug} onClose={() => setActivity(false)} />}
    </main>
  );
}

/**
 * Counts active and failed uploads. Subscribes to the uploads itself so that the lists need not
 * re-render.
 */
function ActivityButton({ slug, onClick }: { slug: string; onClick: () => void }) {
  const { t } = useTranslation("library");
  const { moving, failed } = summarise(slug, useUploads());
  const number = moving + failed > 0 ? formatNumber(moving + failed) : "";
  return (
    <button
      type="button"
      className="btn quiet sm"
      aria-label={`${t("activity")} ${number}`.trim()}
      onClick={onClick}
    >
      <Activity className="i sm" aria-hidden="true" />
      <span className="desk-only">{t("activity")}</span>{" "}
      {number !== "" && <span className={failed > 0 ? "num bad-text" : "num t3"}>{number}</span>}
    </button>
  );
}

/** Tabs for screens too narrow to show both lists. */
function LibraryTabs({
  tab,
  total,
  onTab,
}: {
  tab: "library" | "workspace";
  total: number | null;
  onTab: (tab: "library" | "workspace") => void;
}) {
  const { t } = useTranslation("library");
  const all = useQuery(foldersQuery).data?.documents;
  return (
    <div className="dm-tabs">
      <Segmented
        label={t("tabs")}
        value={tab}
        onChange={onTab}
        options={[
          {
            value: "library",
            label: all === undefined ? t("tabLibrary") : `${t("tabLibrary")}, ${formatNumber(all)}`,
          },
          { value: "workspace", label: t("tabWorkspace", { text: formatNumber(total ?? 0) }) },
        ]}
      />
    </div>
  );
}

/** Says where the dragged items will go. */
function DropHint({
  zone,
  words,
  more,
}: {
  zone: "library" | "workspace";
  words: string;
  more: string | null;
}) {
  return (
    <div className="drop-zone-hint" data-over={zone} aria-hidden="true">
      <span>
        <Upload className="i text-accent" />
        <b>{words}</b>
        {more && <span className="t2">{more}</span>}
      </span>
    </div>
  );
}
