import type { ChatMode, TurnWire } from "@carrel/contracts";
import { useInfiniteQuery, useQuery, type QueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { Hero } from "../../../components/ui/page.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { column } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { onFirstUse } from "../../../lib/first-use.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { welcomeQuery } from "../../../lib/welcome-messages.ts";
import { parsedFilesQuery } from "../api/parsed-files.ts";
import { suggestionsQuery, useBuiltInCommands } from "../api/slash-commands.ts";
import { turnsQuery, useRemoveTurn } from "../api/turns.ts";
import { restoreImages, takeImages, useAttachments } from "../state/attachments.ts";
import { startEditing } from "../state/draft.ts";
import { useFollowRunning } from "../state/follow-running.ts";
import { isOpen } from "../state/generation.ts";
import { askQuestion, stopGeneration, threadKey, useGeneration } from "../state/generations.ts";
import { isForAgent, takeMentions } from "../state/mentions.ts";
import { usePendingQuestions } from "../state/pending-questions.ts";
import { mergeTurns, type TurnView } from "../state/turn-view.ts";
import { useUnsentQuestions } from "../state/unsent-questions.ts";
import {
  stopSpeaking,
  useAnswerActions,
  type ChatCallbacks,
  type OpenSource,
} from "../state/use-answer-actions.ts";
import { Composer } from "./composer.tsx";
import { EmptyChat } from "./empty-chat.tsx";

/**
 * Loads the message log with its Markdown. An empty chat does not need them, so it preloads them
 * while the user reads or types.
 */
const loadLog = (): Promise<typeof import("./message-log.tsx")> => import("./message-log.tsx");
const MessageLog = lazyPart(async () => ({ default: (await loadLog()).MessageLog }));
const SearchStateLine = lazyPart(() => import("../../../components/search-state-line.tsx"));
const AttachmentTray = lazyPart(() => import("./attachment-tray.tsx"));

/**
 * What the page needs once its turns are known: the message log's code, or suggestions for an empty
 * chat.
 */
export async function prefetchChat(
  queryClient: QueryClient,
  slug: string,
  threadSlug: string | null,
): Promise<void> {
  const pages = queryClient.getQueryData(turnsQuery(slug, threadSlug).queryKey)?.pages;
  if (pages === undefined) return;
  if (pages.some(({ turns }) => turns.length > 0)) await loadLog();
  else
    await Promise.all([
      queryClient.prefetchQuery(suggestionsQuery(slug)),
      queryClient.prefetchQuery(welcomeQuery),
    ]);
}

export interface ChatPageProps {
  slug: string;
  threadSlug: string | null;
  name: string;
  workspaceMode: ChatMode;
  model: ReactNode;
  /** null while unknown. */
  documents: number | null;
  accept: string;
  open: OpenSource | null;
  onOpenSource: (open: OpenSource) => void;
  onFiles: (files: File[]) => void;
  /** The workspace has no documents, so files are added to it. */
  addsToWorkspace: boolean;
  /** Whether the user may turn a thread's files into documents of the workspace. */
  mayEmbed: boolean;
  tray: ReactNode;
  callbacks: ChatCallbacks;
}

const noTurns: TurnWire[] = [];

/** A thread: its messages, the answer being written, and the composer. */
export function ChatPage({
  slug,
  threadSlug,
  name,
  workspaceMode,
  model,
  documents,
  accept,
  open,
  onOpenSource,
  onFiles,
  addsToWorkspace,
  mayEmbed,
  tray,
  callbacks,
}: ChatPageProps) {
  const { t } = useTranslation("chat");
  const key = threadKey(slug, threadSlug);
  const turns = useInfiniteQuery(turnsQuery(slug, threadSlug));
  const files = useQuery(parsedFilesQuery(slug, threadSlug)).data?.files.length ?? 0;
  const attached = useAttachments(key);
  const generation = useGeneration(slug, threadSlug);
  const pending = usePendingQuestions(key);
  const [chosenMode, setMode] = useState<ChatMode | null>(null);
  const [removing, setRemoving] = useState<{ turn: TurnView; hides: boolean } | null>(null);
  useEffect(() => void restoreImages(key), [key]);
  // No other page has a button that stops it.
  useEffect(() => stopSpeaking, [key]);
  useEffect(() => onFirstUse(loadLog), []);

  const record = turns.data?.turns ?? noTurns;
  // A thread stays in the mode of its last question, even after a reload or in a branch. One that
  // calls the agent by name was asked in another mode than it is answered in.
  const mode =
    chosenMode ?? record.findLast((turn) => !isForAgent(turn.question))?.mode ?? workspaceMode;
  useUnsentQuestions(key, slug, threadSlug, turns.isSuccess ? record : null);
  useFollowRunning(slug, threadSlug, record, generation, callbacks);

  const searchNote = useMemo(
    () => (
      <Suspense fallback={null}>
        <SearchStateLine slug={slug} onlyWaiting />
      </Suspense>
    ),
    [slug],
  );
  const views = useMemo(
    () => mergeTurns(record, generation, pending),
    [record, generation, pending],
  );
  const writing = generation !== null && isOpen(generation.phase);
  const send = useCallback(
    (message: string) => {
      const attachments = takeImages(key).map(({ name: file, mime, contentString }) => ({
        name: file,
        mime,
        contentString,
      }));
      void askQuestion(
        {
          slug,
          threadSlug,
          message: message || t("imageQuestion"),
          mode,
          attachments,
          choices: takeMentions(key),
        },
        callbacks,
      );
    },
    [key, slug, threadSlug, mode, callbacks, t],
  );
  const stop = useCallback(() => void stopGeneration({ slug, threadSlug }), [slug, threadSlug]);
  const actions = useAnswerActions({
    slug,
    threadSlug,
    busy: writing,
    callbacks,
    onOpenSource,
    onRemove: setRemoving,
  });
  const commands = useBuiltInCommands({
    turns: views,
    hasDocuments: documents !== null && documents > 0,
    actions,
    callbacks,
    send,
  });
  const editLast = (): boolean => {
    const last = views.findLast((view) => view.chatId !== null && view.place === null);
    if (!last) return false;
    startEditing(last.key, "question", last.question);
    return true;
  };

  const attachments = attached.images.length + attached.files.length + files > 0 && (
    <Suspense>
      <AttachmentTray slug={slug} threadSlug={threadSlug} mayEmbed={mayEmbed} />
    </Suspense>
  );
  const composer = (rows: number) => (
    <Composer
      slug={slug}
      threadSlug={threadSlug}
      draftKey={key}
      placeholder={
        addsToWorkspace
          ? t("placeholderEmpty")
          : rows > 1
            ? t("placeholderNamed", { name })
            : t("placeholder")
      }
      rows={rows}
      mode={mode}
      onMode={setMode}
      model={model}
      writing={writing}
      accept={accept}
      tray={
        <>
          {tray}
          {attachments}
        </>
      }
      commands={commands}
      hasImages={attached.images.length > 0}
      files={{
        unread: attached.files.flatMap((file) => (file.state === "failed" ? [] : [file.name])),
        hasUnreadable: attached.files.some((file) => file.state === "failed"),
      }}
      onSend={send}
      onStop={stop}
      onEditLast={editLast}
      onFiles={onFiles}
    />
  );
  if (turns.isError && views.length === 0) {
    return (
      <Hero>
        <FailedQuery
          title={t("historyFailed")}
          retryLabel={t("retry")}
          error={turns.error}
          retry={() => void turns.refetch()}
        />
      </Hero>
    );
  }
  const loading = (
    <div
      className="flex-1 overflow-auto [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin]"
      aria-busy="true"
    >
      <div className={cn(column, "relative grid gap-4 pt-4 pb-3")}>
        {[60, 90, 76, 82].map((width) => (
          <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    </div>
  );
  if (turns.isPending && views.length === 0) return loading;
  if (views.length === 0)
    return (
      <EmptyChat
        slug={slug}
        name={name}
        documents={documents}
        composer={composer(2)}
        accept={accept}
        onFiles={onFiles}
        addsToWorkspace={addsToWorkspace}
        onIdea={send}
      />
    );
  return (
    <>
      <Suspense fallback={loading}>
        <MessageLog
          key={key}
          turns={views}
          actions={actions}
          open={open ? { key: open.turnKey, number: open.index + 1 } : null}
          earlier={
            turns.hasNextPage && !generation?.reset
              ? { load: () => void turns.fetchNextPage(), loading: turns.isFetchingNextPage }
              : null
          }
          note={searchNote}
          dock={
            <>
              {composer(1)}
              <p className="pt-1.5 text-center text-2xs text-fg-3 max-md:hidden by-touch:hidden">
                {t("hint")}
              </p>
            </>
          }
        />
      </Suspense>
      {removing && (
        <RemoveTurnDialog
          slug={slug}
          threadSlug={threadSlug}
          {...removing}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}

/** Asks before a turn is deleted or hidden. */
function RemoveTurnDialog({
  slug,
  threadSlug,
  turn,
  hides,
  onClose,
}: {
  slug: string;
  threadSlug: string | null;
  turn: TurnView;
  /** Whether it hides the turn rather than deleting it. */
  hides: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const removal = useRemoveTurn({ slug, threadSlug });
  const text = hides
    ? t("hideText")
    : turn.siblings.length > 1
      ? t("deleteTextBranch")
      : t("deleteText");
  return (
    <ConfirmDialog
      open
      title={hides ? t("hideTitle") : t("deleteTitle")}
      text={text}
      action={hides ? t("hideTurn") : t("deleteTurn")}
      onConfirm={async () => {
        if (turn.chatId !== null) await removal.mutateAsync({ chatId: turn.chatId, hides });
      }}
      onClose={onClose}
    />
  );
}
