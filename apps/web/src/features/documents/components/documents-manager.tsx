import type { LibraryDocument, WorkspaceDocumentStatus } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { Activity, Upload } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ClosedDoor } from "../../../components/ui/closed-door.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { Main } from "../../../components/ui/page.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { onChange } from "../../../lib/changes.ts";
import { wholeDocument, type DocumentPlace } from "../../../lib/document-place.ts";
import { formatNumber, joinPhrases } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useMoveDocuments } from "../api/bulk-actions.ts";
import { foldersQuery, libraryKeys, processorQuery } from "../api/library.ts";
import type { DialogRequest } from "../state/dialog-request.ts";
import { asDropped, readDropped, type Dropped } from "../state/dropped-files.ts";
import { rootFolder } from "../state/folder-tree.ts";
import { setExpanded } from "../state/library-rows.ts";
import { refreshSoon } from "../state/refresh.ts";
import { stage, toStaged } from "../state/staged.ts";
import { summarise } from "../state/upload-batches.ts";
import { useUploads } from "../state/upload-store.ts";
import { addDropped, addLinks } from "../state/uploads.ts";
import "../texts.ts";
import { ActivityDialog } from "./activity-dialog.tsx";
import { DocumentDialogs } from "./document-dialogs.tsx";
import { DropHint, useDragZones } from "./drop-hint.tsx";
import { LibraryPane } from "./library-pane.tsx";
import { UploadPanel, readEmbedUploads } from "./upload-panel.tsx";
import { WorkspacePane, type DocumentRights } from "./workspace-pane.tsx";

export interface DocumentsManagerProps {
  slug: string;
  workspaceId: number | undefined;
  name: string;
  /** null while loading. */
  count: { documents: number; failed: number } | null;
  accept: string;
  rights: DocumentRights;
  /** `slug` is null for a library document. */
  onOpen: (place: DocumentPlace, slug: string | null) => void;
  /** Renders the top bar with these buttons. */
  bar: (buttons: ReactNode) => ReactNode;
}

/**
 * My documents and the workspace's documents side by side, or as tabs if there isn't room for both.
 */
export function DocumentsManager({
  slug,
  workspaceId,
  name,
  count,
  accept,
  rights,
  onOpen,
  bar,
}: DocumentsManagerProps) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  const [tab, setTab] = useState<"library" | "workspace">("workspace");
  const [dialog, setDialog] = useState<DialogRequest | null>(null);
  const [activity, setActivity] = useState(false);
  const [reading, setReading] = useState(false);
  const moving = useMoveDocuments();
  const picker = useRef<HTMLInputElement>(null);
  const offline = useQuery({ ...processorQuery, enabled: rights.uploads }).data === false;
  const acceptsFiles = rights.uploads && !offline;
  const { library } = rights;

  useEffect(
    () =>
      !rights.library
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
            if (frame.type === "library.changed" && frame.unfinished)
              toast.error(i18next.t("documents-manager:unfinished", { count: frame.unfinished }));
          }),
    [rights.library],
  );

  const addFiles = useCallback(
    (dropped: Dropped, zone: "library" | "workspace", folder: string | null) => {
      addDropped(slug, dropped, {
        folder: folder === null || folder === rootFolder ? "" : folder,
        embed: zone === "workspace" || !library || readEmbedUploads(),
      });
      const kinds = dropped.skipped.filter((each) => each.why === "kind").length;
      if (kinds > 0) toast.info(t("documents:skipped", { count: kinds }));
      else if (dropped.files.length + dropped.skipped.length === 0)
        toast.info(t("documents:emptyFolder"));
    },
    [library, slug, t],
  );
  const place = useDragZones(
    !acceptsFiles
      ? null
      : {
          files: (transfer, zone, folder) => {
            setReading(true);
            void readDropped([...transfer.items], accept)
              .then((dropped) => addFiles(dropped, zone, zone === "library" ? folder : null))
              .finally(() => setReading(false));
          },
          documents: (dragged, zone, folder) => {
            if (zone === "library")
              return moving.mutate({ documents: dragged.selected, folder: folder ?? rootFolder });
            if (dragged.from === "library")
              stage(slug, toStaged(dragged.selected, dragged.deepCount, t("myDocuments")));
          },
          hover: (folder) => {
            if (folder !== rootFolder) setExpanded(folder, true);
          },
        },
  );

  usePaste(
    useCallback(
      (files: File[], links: string[]) => {
        if (files.length > 0) addFiles(asDropped(files), "workspace", null);
        if (links.length === 0) return;
        addLinks(slug, links, { embed: !library || readEmbedUploads() });
        toast.info(t("linksQueued", { count: links.length }));
      },
      [library, slug, addFiles, t],
    ),
    acceptsFiles,
  );

  // With a document open, there may be room for only one list: keep the list it was opened from.
  const open = useCallback(
    (document: WorkspaceDocumentStatus) => {
      setTab("workspace");
      onOpen(wholeDocument(document.documentId), slug);
    },
    [onOpen, slug],
  );
  const openLibrary = useCallback(
    (document: LibraryDocument) => {
      setTab("library");
      onOpen(wholeDocument(document.documentId), null);
    },
    [onOpen],
  );
  const showActivity = useCallback(() => setActivity(true), []);
  const uploadPanel = rights.uploads && (
    <UploadPanel
      slug={slug}
      accept={accept}
      offline={offline}
      alwaysEmbed={!library}
      onActivity={showActivity}
    />
  );
  return (
    <Main className="@container/documents">
      {bar(
        rights.uploads ? (
          <>
            <FileInput
              ref={picker}
              multiple
              accept={accept}
              label={t("workspace.upload")}
              onFiles={(files) => addFiles(asDropped(files), "workspace", null)}
            />
            <ActivityButton slug={slug} onClick={showActivity} />
            <Button
              className="max-md:h-9 max-md:px-3.5 max-md:text-sm"
              variant="primary"
              size="sm"
              disabled={offline}
              onClick={() => picker.current?.click()}
            >
              <Upload className="size-3.5 stroke-2" aria-hidden="true" />
              <span className="max-md:sr-only">{t("workspace.upload")}</span>
            </Button>
          </>
        ) : (
          rights.uploadsClosed && (
            <ClosedDoor door="uploadDocuments">
              <Button className="max-md:h-9 max-md:px-3.5 max-md:text-sm" size="sm">
                <Upload className="size-3.5 stroke-2" aria-hidden="true" />
                {t("workspace.upload")}
              </Button>
            </ClosedDoor>
          )
        ),
      )}
      <div
        className={
          library
            ? "group/manager relative grid min-h-0 flex-1 grid-cols-[minmax(320px,404px)_minmax(0,1fr)] @max-[901px]/documents:grid-cols-1 @max-[901px]/documents:grid-rows-[auto_minmax(0,1fr)]"
            : "group/manager relative flex min-h-0 flex-1"
        }
        data-tab={tab}
      >
        {library && <LibraryTabs tab={tab} total={count?.documents ?? null} onTab={setTab} />}
        {library && (
          <LibraryPane
            slug={slug}
            workspaceId={workspaceId}
            onOpen={openLibrary}
            onOpenPlace={onOpen}
            onOpenDialog={setDialog}
            over={place?.zone === "library" ? place.folder : null}
            uploadPanel={uploadPanel}
          />
        )}
        <WorkspacePane
          slug={slug}
          name={name}
          count={count}
          rights={rights}
          fullManager={library}
          onOpen={open}
          onOpenPlace={onOpen}
          onOpenDialog={setDialog}
          onActivity={showActivity}
          uploadPanel={library ? null : uploadPanel}
        />
        {place && <DropHint place={place} name={name} library={library} />}
        {reading && (
          <div
            className="absolute inset-x-0 bottom-5 z-(--layer-bar) mx-auto w-max rounded-md border border-line bg-overlay px-3.5 py-2 shadow-float"
            role="status"
          >
            {t("readingDrop")}
          </div>
        )}
      </div>
      <DocumentDialogs request={dialog} slug={slug} name={name} onClose={() => setDialog(null)} />
      {activity && <ActivityDialog slug={slug} onClose={() => setActivity(false)} />}
    </Main>
  );
}

/**
 * Counts active and failed uploads. Subscribes to the uploads itself so that the lists need not
 * re-render.
 */
function ActivityButton({ slug, onClick }: { slug: string; onClick: () => void }) {
  const { t } = useTranslation("documents-manager");
  const { inProgress, failed } = summarise(slug, useUploads());
  const number = inProgress + failed > 0 ? formatNumber(inProgress + failed) : "";
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-label={`${t("activity")} ${number}`.trim()}
      onClick={onClick}
    >
      <Activity className="size-3.5 stroke-2" aria-hidden="true" />
      <span className="max-md:hidden">{t("activity")}</span>{" "}
      {number !== "" && (
        <span className={failed > 0 ? "text-danger tabular-nums" : "text-fg-3 tabular-nums"}>
          {number}
        </span>
      )}
    </Button>
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
  const { t } = useTranslation("documents-manager");
  const all = useQuery(foldersQuery).data?.documents;
  return (
    <div className="hidden border-b border-subtle px-3 py-2 @max-[901px]/documents:flex *:flex-1 [&_button]:h-8 [&_button]:flex-1 [&_button]:text-center [&_button]:text-sm/8">
      <Segmented
        label={t("tabs")}
        value={tab}
        onChange={onTab}
        options={[
          {
            value: "library",
            label: joinPhrases([t("tabLibrary"), all !== undefined && formatNumber(all)]),
          },
          { value: "workspace", label: t("tabWorkspace", { text: formatNumber(total ?? 0) }) },
        ]}
      />
    </div>
  );
}

/** Handles files and links pasted anywhere on the page except into a field or dialog. */
function usePaste(onPaste: (files: File[], links: string[]) => void, enabled: boolean): void {
  useLayoutEffect(() => {
    if (!enabled) return;
    const paste = (event: ClipboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (
        target?.closest(
          'input:not([type="checkbox"]), textarea, [contenteditable="true"], [role="dialog"]',
        )
      )
        return;
      const files = [...(event.clipboardData?.files ?? [])];
      const links = findLinks(event.clipboardData?.getData("text/plain") ?? "");
      if (files.length + links.length === 0) return;
      event.preventDefault();
      onPaste(files, links);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [onPaste, enabled]);
}

/** Web addresses in pasted text; empty if the text contains anything else. */
export function findLinks(text: string): string[] {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (
    words.length === 0 ||
    words.length > 500 ||
    !words.every((word) => /^https?:\/\/[^\s/$.?#][^\s]*$/i.test(word) && URL.canParse(word))
  )
    return [];
  return [...new Set(words)];
}
