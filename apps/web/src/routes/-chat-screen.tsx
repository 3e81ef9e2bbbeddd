import { useQuery, type QueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Files, PanelRight, Settings2 } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, buttonStyles, iconButtonStyles } from "../components/ui/button.tsx";
import { ClosedDoor } from "../components/ui/closed-door.tsx";
import { Main } from "../components/ui/page.tsx";
import { sidePanel } from "../components/ui/styles.ts";
import { answererName, threadModelQuery } from "../features/chat/api/thread-model.ts";
import { turnsQuery } from "../features/chat/api/turns.ts";
import { ChatPage, prefetchChat } from "../features/chat/components/chat-page.tsx";
import { ModelPicker } from "../features/chat/components/model-picker.tsx";
import { attachFiles, isImage } from "../features/chat/state/attachments.ts";
import { quotesOf } from "../features/chat/state/citations.ts";
import { useThreadExport } from "../features/chat/state/thread-export.ts";
import type { OpenSource } from "../features/chat/state/use-answer-actions.ts";
import { acceptedTypesQuery } from "../features/documents/api/accepted-types.ts";
import { DropZone } from "../features/documents/components/file-drop.tsx";
import { useUploads } from "../features/documents/state/upload-store.ts";
import {
  countOf,
  countsQuery,
  findThread,
  setThreadName,
  threadsQuery,
} from "../features/shell/api/workspaces.ts";
import { Topbar } from "../features/shell/components/topbar.tsx";
import { isFirstPage } from "../lib/api.ts";
import { usePageTitle } from "../lib/brand.ts";
import { useRights, useWorkspaceRights } from "../lib/current-user.ts";
import { useFirstUse } from "../lib/first-use.ts";
import { joinPhrases } from "../lib/format.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { keys, writeStored } from "../lib/session-storage.ts";
import { usePersonalization } from "../lib/setup.ts";
import type { SharedFlow } from "../lib/shared-flows.ts";
import { threadName } from "../lib/thread-name.ts";
import { toast } from "../lib/toast.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { requireWorkspace } from "./-guards.ts";
import { ThreadMenu } from "./-thread-menu.tsx";

/** How long the first page waits for data that could also appear later. */
const timeoutMs = 400;

/** Loads what the page needs before rendering; an unknown workspace is a 404. */
export async function loadChat(
  queryClient: QueryClient,
  slug: string,
  threadSlug: string | null,
): Promise<void> {
  const turns = queryClient.prefetchInfiniteQuery(turnsQuery(slug, threadSlug));
  if (!isFirstPage()) return requireWorkspace(queryClient, slug);
  // Keeps the shell visible until the page is complete, rather than showing parts one by one.
  const complete = Promise.all([
    queryClient.prefetchQuery(threadsQuery(slug)),
    queryClient.prefetchQuery(countsQuery),
    turns.then(() => prefetchChat(queryClient, slug, threadSlug)),
  ]);
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, timeoutMs);
  });
  await Promise.all([requireWorkspace(queryClient, slug), Promise.race([complete, timeout])]);
}

const MemoriesDialog = lazyPart(
  () => import("../features/memories/components/memories-dialog.tsx"),
);
const StartDialog = lazyPart(() => import("../features/flows/components/start-dialog.tsx"));
const InspectionPanel = lazyPart(
  () => import("../features/inspection/components/inspection-panel.tsx"),
);
const UploadRows = lazyPart(async () => ({
  default: (await import("../features/documents/components/upload-rows.tsx")).UploadRows,
}));
const SourcePanel = lazyPart(() => import("../features/sources/components/source-panel.tsx"));

const rejections = {
  images: "tooManyImages",
  imageSize: "imagesTooLarge",
  files: "tooManyFiles",
} as const;

/** The words of the answer that cite the open source. */
function quotedText(open: OpenSource | null): string[] {
  if (open === null) return [];
  return open.words === null ? quotesOf(open.answer, open.index + 1) : [open.words];
}

/** A thread in the main column with its sources next to it; files can be dropped anywhere. */
export function ChatScreen({ slug, threadSlug }: { slug: string; threadSlug: string | null }) {
  const { t } = useTranslation(["shell", "documents", "chat", "common"]);
  const navigate = useNavigate();
  const workspace = useQuery(workspacesQuery).data?.find((each) => each.slug === slug);
  const thread = findThread(useQuery(threadsQuery(slug)).data?.threads, threadSlug);
  const counts = useQuery(countsQuery).data;
  const { admin } = useRights();
  const { manages, uploads, isKnown } = useWorkspaceRights();
  const isUsed = useFirstUse();
  const model = useQuery(threadModelQuery(slug, threadSlug)).data;
  // Images are attached as long as this isn't known; the tray says so if the model turns out not to
  // see them.
  const seesImages = model?.seesImages !== false;
  const mayChooseModel = model?.mayChoose === true;
  const [choosingModel, setChoosingModel] = useState(false);
  const [starting, setStarting] = useState<SharedFlow | null>(null);
  const accept = useQuery({ ...acceptedTypesQuery, enabled: isUsed }).data?.join(",") ?? "";
  const [open, setOpen] = useState<OpenSource | null>(null);
  const [last, setLast] = useState<OpenSource | null>(null);
  const [inspected, setInspected] = useState<number | null>(null);
  const personalized = usePersonalization();
  const [memories, setMemories] = useState(false);
  const count = countOf(counts, workspace?.id);
  const documents = count?.documents ?? null;
  const title = thread
    ? threadName(thread.name)
    : t(threadSlug === null ? "defaultThread" : "newThread");
  useEffect(() => {
    writeStored(keys.lastWorkspace, JSON.stringify({ slug, name: workspace?.name ?? slug }));
  }, [slug, workspace?.name]);
  usePageTitle(title);
  const openSource = useCallback(
    (source: OpenSource) => {
      setOpen(source);
      setLast(source);
      setInspected(null);
    },
    [setOpen, setLast, setInspected],
  );
  const mayUpload = uploads(workspace?.id);
  // In an empty workspace, files dropped by people who may add documents become documents;
  // otherwise they belong to this conversation only.
  const addsToWorkspace = mayUpload && documents === 0;
  const onFiles = useCallback(
    (files: File[]) => {
      const library = addsToWorkspace ? files.filter((file) => !(seesImages && isImage(file))) : [];
      if (library.length > 0)
        void import("../features/documents/state/uploads.ts").then(({ addFiles }) =>
          addFiles(slug, library),
        );
      void attachFiles(
        { slug, threadSlug },
        files.filter((file) => !library.includes(file)),
        seesImages,
      ).then((reasons) => {
        for (const reason of reasons) toast.info(t(`chat:${rejections[reason]}`));
      });
    },
    [addsToWorkspace, seesImages, slug, threadSlug, t],
  );
  const saveAs = useThreadExport(slug, threadSlug, title);
  const callbacks = useMemo(
    () => ({
      onRename: setThreadName,
      onFork: (to: string, thread: string) =>
        void navigate({
          to: "/workspace/$workspaceSlug/t/$threadSlug",
          params: { workspaceSlug: to, threadSlug: thread },
        }),
      onInspect: (chatId: number) => {
        setOpen(null);
        setInspected(chatId);
      },
      onExport: () => saveAs("markdown"),
      onChooseModel: mayChooseModel ? () => setChoosingModel(true) : null,
      onRunFlow: setStarting,
    }),
    [navigate, setOpen, setInspected, setChoosingModel, saveAs, mayChooseModel, setStarting],
  );
  const quotes = useMemo(() => quotedText(open), [open]);
  const uploading = useUploads().some((upload) => upload.slug === slug);
  const tray = useMemo(
    () =>
      uploading ? (
        <Suspense>
          <UploadRows slug={slug} kind="tray" />
        </Suspense>
      ) : null,
    [slug, uploading],
  );
  if (!workspace) return <Main aria-busy="true" />;
  const dropTitle = addsToWorkspace
    ? t("documents:dropTitle", { name: workspace.name })
    : t("documents:dropAsk");
  return (
    <>
      <DropZone
        title={dropTitle}
        pictures={
          seesImages
            ? { title: t("documents:dropAsk"), note: t("documents:dropAttachesPictures") }
            : {
                title: dropTitle,
                note: t("documents:dropReadsPictures", { model: model ? answererName(model) : "" }),
              }
        }
        accept={accept}
        onFiles={onFiles}
      >
        <Topbar above={workspace.name} title={title}>
          {count !== null && (
            <Link
              className={buttonStyles({
                variant: "quiet",
                size: "sm",
                className: "max-md:size-10 max-md:p-0",
              })}
              to="/workspace/$workspaceSlug/documents"
              params={{ workspaceSlug: slug }}
            >
              <Files className="size-3.5 stroke-2 max-md:size-4.5" aria-hidden="true" />
              <span className="max-md:sr-only">
                {joinPhrases([
                  t("documents", { count: count.documents }),
                  count.failed > 0 && t("failedDocuments", { count: count.failed }),
                ])}
              </span>
            </Link>
          )}
          <ThreadMenu
            slug={slug}
            thread={thread}
            title={title}
            onMemories={personalized ? () => setMemories(true) : null}
          />
          {manages(workspace.id) ? (
            <Link
              className={iconButtonStyles}
              data-slot="icon-button"
              to="/workspace/$workspaceSlug/settings/$tab"
              params={{ workspaceSlug: slug, tab: "general-appearance" }}
              aria-label={t("workspaceSettings")}
              title={t("workspaceSettings")}
            >
              <Settings2 aria-hidden="true" />
            </Link>
          ) : (
            isKnown && (
              <ClosedDoor door="manageWorkspace">
                <IconButton label={t("workspaceSettings")}>
                  <Settings2 />
                </IconButton>
              </ClosedDoor>
            )
          )}
          {last && (
            <IconButton
              className="max-md:hidden"
              label={open ? t("hideSource") : t("showSource")}
              aria-pressed={open !== null}
              onClick={() => {
                setInspected(null);
                setOpen(open ? null : last);
              }}
            >
              <PanelRight className="rtl:-scale-x-100" />
            </IconButton>
          )}
        </Topbar>
        <ChatPage
          key={`${slug}/${threadSlug ?? ""}`}
          slug={slug}
          threadSlug={threadSlug}
          name={workspace.name}
          workspaceMode={workspace.chatMode}
          model={
            <ModelPicker
              slug={slug}
              threadSlug={threadSlug}
              managesProviders={admin}
              open={choosingModel}
              onOpen={setChoosingModel}
            />
          }
          documents={documents}
          accept={accept ? `${accept},image/*` : ""}
          open={open}
          onOpenSource={openSource}
          onFiles={onFiles}
          addsToWorkspace={addsToWorkspace}
          mayEmbed={mayUpload}
          tray={tray}
          callbacks={callbacks}
        />
      </DropZone>
      {memories && (
        <Suspense>
          <MemoriesDialog
            slug={slug}
            name={workspace.name}
            provider={workspace.chatProvider}
            onClose={() => setMemories(false)}
          />
        </Suspense>
      )}
      {starting && (
        <Suspense>
          <StartDialog
            flow={starting}
            workspace={slug}
            onClose={() => setStarting(null)}
            onStarted={(run) => void navigate({ to: "/flows", search: { run } })}
          />
        </Suspense>
      )}
      {inspected !== null && (
        <Suspense fallback={<aside className={sidePanel} data-panel aria-busy="true" />}>
          <InspectionPanel
            key={inspected}
            slug={slug}
            chatId={inspected}
            onClose={() => setInspected(null)}
          />
        </Suspense>
      )}
      {open && (
        <Suspense fallback={<aside className={sidePanel} data-panel aria-busy="true" />}>
          <SourcePanel
            slug={slug}
            sources={open.sources}
            index={open.index}
            quotes={quotes}
            document={null}
            tab={open.tab}
            onTab={(tab) => openSource({ ...open, tab })}
            onIndex={(index) => openSource({ ...open, index, words: null })}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </>
  );
}
