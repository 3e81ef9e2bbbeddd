import type { SourceWire, TurnWire } from "@carrel/contracts";
import { errorMessage } from "../../../lib/error-message.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { toast } from "../../../lib/toast.ts";
import { parsedFilesQuery } from "../api/parsed-files.ts";
import {
  currentGenerationQuery,
  deleteTurns,
  forkAt,
  hideTurn,
  rateAnswer,
  refreshTurns,
  rewriteAnswer,
  showBranch,
  turnsQuery,
} from "../api/turns.ts";
import { reviveImages, takeImages, useAttached } from "../state/attachments.ts";
import { giveBack, keepUnsent, reviveUnsent } from "../state/draft.ts";
import { startEditing } from "../state/editing.ts";
import { isOpen } from "../state/generation.ts";
import {
  attachTo,
  cancelQueued,
  dropGeneration,
  getGeneration,
  leaveStopped,
  startAsking,
  stopGeneration,
  threadKey,
  useGeneration,
  type Hooks,
} from "../state/generations.ts";
import { mergeTurns, type TurnView } from "../state/turn-view.ts";
import { takeWaiting, useWaiting } from "../state/waiting.ts";
import type { AnswerActions } from "./answer.tsx";
import { Composer } from "./composer.tsx";
import { EmptyChat } from "./empty-chat.tsx";

/**
 * Loads the message log with its Markdown. An empty chat does not need them, so it preloads them
 * while the user reads or types.
 */
const loadLog = (): Promise<typeof import("./message-log.tsx")> => import("./message-log.tsx");
const MessageLog = lazy(() => loadLog().then((module) => ({ default: module.MessageLog })));
const AttachmentTray = lazy(() => import("./attachment-tray.tsx"));

export interface OpenSource {
  turnKey: string;
  sources: SourceWire[];
  index: number;
  tab: "page" | "passages";
  answer: string;
  /**
   * The text that the clicked citation supports; null: everything the answer takes from this
   * source.
   */
  words: string | null;
}

export interface ChatHooks extends Hooks {
  onFork: (slug: string, threadSlug: string) => void;
  onInspect: (chatId: number) => void;
}
export interface ChatPageProps {
  slug: string;
  threadSlug: string | null;
  name: string;
  workspaceMode: "chat" | "query";
  model: ReactNode;
  /** null while unknown. */
  documents: number | null;
  accept: string;
  open: OpenSource | null;
  onOpenSource: (open: OpenSource) => void;
  onFiles: (files: File[]) => void;
  /** The workspace has no documents, so files are added to it. */
  adds: boolean;
  /** May turn a thread's files into documents of the workspace. */
  mayEmbed: boolean;
  tray: ReactNode;
  hooks: ChatHooks;
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
  adds,
  mayEmbed,
  tray,
  hooks,
}: ChatPageProps) {
  const { t } = useTranslation("chat");
  const key = threadKey(slug, threadSlug);
  useState(() => {
    if (!getGeneration(slug, threadSlug)) reviveUnsent(key);
  }); // before the field reads its draft
  const turns = useInfiniteQuery(turnsQuery(slug, threadSlug));
  const current = useQuery(currentGenerationQuery(slug, threadSlug));
  const files = useQuery(parsedFilesQuery(slug, threadSlug)).data?.files.length ?? 0;
  const attached = useAttached(key);
  const generation = useGeneration(slug, threadSlug);
  const waiting = useWaiting(key);
  const [mode, setMode] = useState(workspaceMode);
  const [removing, setRemoving] = useState<{ turn: TurnView; hides: boolean } | null>(null);
  useEffect(() => void reviveImages(key), [key]);
  useEffect(() => {
    const timer = setTimeout(() => void loadLog(), 1500);
    return () => clearTimeout(timer);
  }, []);

  const record = turns.data?.turns ?? noTurns;
  const runs = current.data ?? null;
  useEffect(() => {
    const running =
      record.find((each) => each.state === "running" && each.generationId !== null) ??
      record.find((each) => each.id === runs?.chatId) ??
      record.find((each) => each.state === "queued" && each.generationId !== null);
    const id = running?.generationId ?? runs?.id;
    const mine = getGeneration(slug, threadSlug);
    if (mine && isOpen(mine.phase)) {
      // Stopped in another tab: the record says so even if this tab's stream does not end.
      if (record.find((each) => each.id === mine.chatId)?.state === "cancelled")
        leaveStopped({ slug, threadSlug });
      return;
    }
    if (
      !id ||
      !running ||
      mine?.id === id ||
      (running.state !== "queued" && running.state !== "running")
    )
      return;
    void attachTo(
      { slug, threadSlug },
      {
        id,
        chatId: running.id,
        question: running.question,
        mode: running.mode,
        queued: running.state === "queued",
        sentAt: running.sentAt,
        attachments: running.attachments ?? [],
      },
      hooks,
    );
  }, [record, runs, slug, threadSlug, hooks, generation?.phase]);

  const views = useMemo(
    () => mergeTurns(record, generation, waiting),
    [record, generation, waiting],
  );
  const writing = generation !== null && isOpen(generation.phase);
  const send = useCallback(
    (message: string) => {
      const attachments = takeImages(key).map(({ name: file, mime, contentString }) => ({
        name: file,
        mime,
        contentString,
      }));
      void startAsking(
        { slug, threadSlug, message: message || t("imageQuestion"), mode, attachments },
        hooks,
      );
    },
    [key, slug, threadSlug, mode, hooks, t],
  );
  const stop = useCallback(() => void stopGeneration({ slug, threadSlug }), [slug, threadSlug]);
  const actions = useMemo<AnswerActions>(() => {
    const address = { slug, threadSlug };
    const attempt = (work: Promise<unknown>): void =>
      void work.catch((error: unknown) =>
        toast.error(t("notDone", { message: errorMessage(error) })),
      );
    const ask = (turn: TurnView, message: string): void => {
      const attachments = turn.chatId === null ? turn.attachments : [];
      dropGeneration(address);
      void startAsking(
        {
          ...address,
          message,
          mode: turn.mode,
          replaces: turn.chatId ?? turn.replaces,
          attachments,
          shown: turn.attachments,
        },
        hooks,
      );
    };
    const discard = (turn: TurnView): void => {
      if (turn.waitingId !== null) takeWaiting(threadKey(slug, threadSlug), turn.waitingId);
      else dropGeneration(address);
      keepUnsent(threadKey(slug, threadSlug), "");
      giveBack(threadKey(slug, threadSlug), turn.question);
    };
    return {
      busy: writing,
      onOpenSource: (turn, number, tab, mark) =>
        onOpenSource({
          turnKey: turn.key,
          sources: turn.sources,
          index: number - 1,
          tab,
          answer: turn.answer,
          words: mark,
        }),
      onRetry: (turn) => {
        if (turn.waitingId === null) return ask(turn, turn.question);
        const question = takeWaiting(threadKey(slug, threadSlug), turn.waitingId);
        if (question) void startAsking(question, hooks);
      },
      onDiscard: discard,
      onEditQuestion: ask,
      onEditAnswer: (turn, text) => {
        if (turn.chatId !== null) {
          dropGeneration(address);
          attempt(rewriteAnswer(slug, threadSlug, turn.chatId, text));
        }
      },
      onBranch: (chatId) => {
        dropGeneration(address);
        attempt(showBranch(slug, threadSlug, chatId));
      },
      onDelete: (turn) => setRemoving({ turn, hides: false }),
      onHide: (turn) => setRemoving({ turn, hides: true }),
      onRate: (turn, feedback) => {
        if (turn.chatId !== null) attempt(rateAnswer(slug, threadSlug, turn.chatId, feedback));
      },
      onFork: (turn) => {
        if (turn.chatId !== null)
          attempt(
            forkAt(slug, threadSlug, turn.chatId).then((thread) => hooks.onFork(slug, thread)),
          );
      },
      onInspect: ({ chatId }) => {
        if (chatId !== null) hooks.onInspect(chatId);
      },
      onRemoveQueued: ({ chatId, generationId, question }) => {
        if (chatId === null || generationId === null) return;
        giveBack(threadKey(slug, threadSlug), question);
        attempt(cancelQueued(address, generationId, () => deleteTurns(slug, [chatId])));
      },
    };
  }, [slug, threadSlug, onOpenSource, hooks, writing, t]);
  const remove = async ({ turn, hides }: { turn: TurnView; hides: boolean }): Promise<void> => {
    if (turn.chatId === null) return;
    try {
      await (hides ? hideTurn(turn.chatId) : deleteTurns(slug, [turn.chatId]));
      if (generation?.chatId === turn.chatId) dropGeneration({ slug, threadSlug });
      await refreshTurns(slug, threadSlug);
    } catch (error) {
      toast.error(t("notDone", { message: errorMessage(error) }));
    }
  };
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
      draftKey={key}
      placeholder={
        adds ? t("placeholderEmpty") : rows > 1 ? t("placeholderNamed", { name }) : t("placeholder")
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
      hasImages={attached.images.length > 0}
      onSend={send}
      onStop={stop}
      onEditLast={editLast}
      onFiles={onFiles}
    />
  );
  if (turns.isError && views.length === 0) {
    return (
      <div className="hero">
        <div className="col">
          <Notice
            kind="bad"
            action={
              <button type="button" className="btn sm" onClick={() => void turns.refetch()}>
                {t("retry")}
              </button>
            }
          >
            <p>
              <b>{t("historyFailed")}</b>
            </p>
            <p>{turns.error.message}</p>
          </Notice>
        </div>
      </div>
    );
  }
  const loading = (
    <div className="log" aria-busy="true">
      <div className="col">
        {[60, 90, 76, 82].map((width) => (
          <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
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
        adds={adds}
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
          dock={
            <>
              {composer(1)}
              <p className="under">{t("hint")}</p>
            </>
          }
        />
      </Suspense>
      {removing &&
        (removing.hides ? (
          <ConfirmDialog
            open
            title={t("hideTitle")}
            text={t("hideText")}
            action={t("hideTurn")}
            onConfirm={() => remove(removing)}
            onClose={() => setRemoving(null)}
          />
        ) : (
          <ConfirmDialog
            open
            title={t("deleteTitle")}
            text={removing.turn.siblings.length > 1 ? t("deleteTextBranch") : t("deleteText")}
            action={t("deleteTurn")}
            onConfirm={() => remove(removing)}
            onClose={() => setRemoving(null)}
          />
        ))}
    </>
  );
}
