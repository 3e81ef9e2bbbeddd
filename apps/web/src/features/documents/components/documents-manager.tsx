import { Main } from "../../../components/ui/main.tsx";
import "../texts.ts";
import type { LibraryDocument, WorkspaceDocumentStatus } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { onChange } from "../../../lib/changes.ts";
import { wholeDocument, type DocumentPlace } from "../../../lib/document-place.ts";
import { toast } from "../../../lib/toast.ts";
import { useMoveDocuments } from "../api/bulk-actions.ts";
import { libraryKeys, processorQuery } from "../api/library.ts";
import type { DialogRequest } from "../state/dialog-request.ts";
import type { DocumentRights } from "../state/document-rights.ts";
import { useDragZones } from "../state/drag-zones.ts";
import { readDropped, asDropped, type Dropped } from "../state/dropped-files.ts";
import { setExpanded } from "../state/expanded-folders.ts";
import { rootFolder } from "../state/folder-tree.ts";
import { usePaste } from "../state/paste.ts";
import { refreshSoon } from "../state/refresh.ts";
import { stage, toStaged } from "../state/staged.ts";
import { addDropped, addLinks } from "../state/uploads.ts";
import { DocumentDialogs } from "./document-dialogs.tsx";
import { ActivityButton } from "./activity-button.tsx";
import { ActivityDialog } from "./activity-dialog.tsx";
import { DropHint } from "./drop-hint.tsx";
import { UploadPanel, readEmbedUploads } from "./upload-panel.tsx";
import { LibraryPane } from "./library-pane.tsx";
import { LibraryTabs } from "./library-tabs.tsx";
import { WorkspacePane } from "./workspace-pane.tsx";
import { FileInput } from "../../../components/ui/file-input.tsx";

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
 * My documents and the workspace's documents side by side, or as tabs where there is no room for
 * both.
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
  const { t } = useTranslation(["library", "documents"]);
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
              toast.error(i18next.t("library:unfinished", { count: frame.unfinished }));
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

  // With a document open there may be room for only one list: keep the one it was opened from.
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
        rights.uploads && (
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
              {t("workspace.upload")}
            </Button>
          </>
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
