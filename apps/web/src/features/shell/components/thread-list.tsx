import type { MarkedThread } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Archive, ArchiveRestore, Plus, Trash2 } from "lucide-react";
import {
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatMonth } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import {
  findThread,
  removalDelay,
  threadsQuery,
  trashQuery,
  type RemovedThreads,
} from "../api/workspaces.ts";
import {
  firstThreads,
  groupThreads,
  keyOfItem,
  type ThreadGroup,
  type ThreadListItem,
} from "../state/thread-groups.ts";
import { useThreadMarks } from "../state/thread-marks.ts";
import { useThreadRemoval } from "../state/thread-removal.ts";
import { threadNav, type ThreadDialogRequest } from "./thread-nav.ts";
import { ThreadRow, type ThreadAction } from "./thread-row.tsx";

/**
 * In a text field the key is usually part of a shortcut (Ctrl+C), so it only counts when held this
 * long (ms).
 */
const holdDelayMs = 250;
const isModifier = (event: KeyboardEvent): boolean =>
  event.key === "Control" || event.key === "Meta";
const inField = (): boolean =>
  document.activeElement instanceof HTMLElement &&
  (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) ||
    document.activeElement.isContentEditable);

/**
 * `held` while Ctrl or ⌘ is down. `menu` is started from the menu of a thread, for touch, and lasts
 * until it is explicitly ended.
 */
interface ThreadSelection {
  mode: "off" | "held" | "menu";
  selected: ReadonlySet<string>;
  toggle: (slug: string) => void;
  selectAll: (slugs: string[]) => void;
  startSelecting: (slug: string) => void;
  endSelecting: () => void;
}
const none: { mode: ThreadSelection["mode"]; selected: ReadonlySet<string> } = {
  mode: "off",
  selected: new Set(),
};

/** Marks threads for deletion (specification 1, section 4). Releasing the key clears all marks. */
function useThreadSelection(): ThreadSelection {
  const [state, setState] = useState(none);
  useLayoutEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const hold = (): void =>
      setState((before) => (before.mode === "off" ? { ...before, mode: "held" } : before));
    const release = (): void => {
      clearTimeout(waiting);
      setState((before) => (before.mode === "held" ? none : before));
    };
    const down = (event: KeyboardEvent): void => {
      clearTimeout(waiting); // another key makes it a shortcut
      if (!isModifier(event) || event.repeat) return;
      if (inField()) waiting = setTimeout(hold, holdDelayMs);
      else hold();
    };
    const up = (event: KeyboardEvent): void => {
      if (isModifier(event)) release();
    };
    addEventListener("keydown", down);
    addEventListener("keyup", up);
    addEventListener("blur", release);
    return () => {
      clearTimeout(waiting);
      removeEventListener("keydown", down);
      removeEventListener("keyup", up);
      removeEventListener("blur", release);
    };
  }, []);
  const toggle = useCallback(
    (slug: string) =>
      setState(({ mode, selected }) => {
        const next = new Set(selected);
        if (!next.delete(slug)) next.add(slug);
        return { mode, selected: next };
      }),
    [],
  );
  const selectAll = useCallback(
    (slugs: string[]) => setState(({ mode }) => ({ mode, selected: new Set(slugs) })),
    [],
  );
  const startSelecting = useCallback(
    (slug: string) => setState({ mode: "menu", selected: new Set([slug]) }),
    [],
  );
  const endSelecting = useCallback(() => setState(none), []);
  return { ...state, toggle, selectAll, startSelecting, endSelecting };
}

const threadList =
  "relative ms-3.25 mt-0.5 mb-1.5 grid gap-px ps-2.25 before:absolute before:inset-y-0.5 before:start-0 before:w-px before:bg-line";

/** Virtualization is only loaded for long lists. */
const loadRows = (): Promise<typeof import("./thread-rows.tsx")> => import("./thread-rows.tsx");
const ThreadRows = lazyPart(loadRows);
const ThreadDialog = lazyPart(() => import("./thread-dialog.tsx"));

const shownAtFirst = 12;
/**
 * The default thread until it has a question, then the pinned and the other ones by date, and New
 * thread, along a rail. Holding Ctrl or ⌘ marks threads for deleting several at once; on touch
 * screens the thread menu does.
 */
export function ThreadList({
  slug,
  current,
  currentThread,
  onNewThread,
  onShow,
}: {
  slug: string;
  current: boolean;
  currentThread: string | null;
  onNewThread: (slug: string) => void;
  onShow: (dialog: "archive" | "trash") => void;
}) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const query = useQuery(threadsQuery(slug));
  const removeThreads = useThreadRemoval(slug);
  const trash = useQuery(trashQuery(slug)).data?.threads.length ?? 0;
  const [expanded, setExpanded] = useState(false);
  const [removed, setRemoved] = useState<Set<string>>(new Set());
  const [request, setRequest] = useState<ThreadDialogRequest | null>(null);
  const { mode, selected, toggle, selectAll, startSelecting, endSelecting } = useThreadSelection();
  const list = useRef<HTMLDivElement>(null);
  const threads = query.data?.threads;
  const mark = useThreadMarks(slug);
  // oxlint-disable-next-line react/purity -- changes at midnight, as the headings do
  const today = new Date().toDateString();
  const items = useMemo(
    () => groupThreads(threads ?? [], new Date(today).getTime()),
    [threads, today],
  );
  const firstItems = useMemo(() => firstThreads(items, shownAtFirst), [items]);
  const listed = useMemo(
    () => items.flatMap((item) => (item.kind === "thread" ? [item.thread.slug] : [])),
    [items],
  );
  const archived = (threads?.length ?? 0) - listed.length;
  const place = current
    ? items.findIndex(
        (item) => item.kind === "thread" && item.thread.slug === (currentThread ?? ""),
      )
    : -1;
  const showsAll = expanded || place >= firstItems.length;
  useEffect(() => {
    if (current && !showsAll)
      list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current, showsAll, place]);
  const many = listed.length > shownAtFirst;
  useEffect(() => {
    if (many) void loadRows();
  }, [many]); // before more rows are shown, which would redraw them all
  const runAction = useCallback(
    (action: ThreadAction, thread: MarkedThread): void => {
      if (action === "toggle") toggle(thread.slug);
      else if (action === "select") startSelecting(thread.slug);
      else if (action === "share") setRequest({ kind: action, threadSlug: thread.slug || null });
      else setRequest({ kind: action, thread });
    },
    [toggle, startSelecting],
  );
  if (!threads)
    return (
      <div className={threadList}>
        <Skeleton className="m-2" style={{ inlineSize: "60%" }} />
      </div>
    );

  const remove = (removal: RemovedThreads): Promise<void> =>
    removeThreads(removal, (slugs) => {
      setRemoved((before) => new Set([...before, ...slugs]));
      setTimeout(
        () => setRemoved((before) => new Set([...before].filter((each) => !slugs.includes(each)))),
        removalDelay,
      ); // restoring may bring it back
      endSelecting();
      if (current && currentThread && slugs.includes(currentThread))
        void navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } });
    });
  const removeMarked = (): void => {
    const slugs = listed.filter((each) => selected.has(each));
    // Holding the key is deliberate, and a dialog would clear the marks; on touch, ask first.
    if (mode === "menu") setRequest({ kind: "delete-selected", slugs });
    else void remove({ selected: slugs }).catch(() => undefined); // the mutation reports errors
  };
  const renderItem = (item: ThreadListItem) =>
    item.kind === "heading" ? (
      <ThreadHeading key={keyOfItem(item)} group={item.group} />
    ) : (
      <ThreadRow
        key={keyOfItem(item)}
        slug={slug}
        thread={item.thread}
        current={current && item.thread.slug === (currentThread ?? "")}
        removed={removed.has(item.thread.slug)}
        selecting={mode !== "off"}
        selected={selected.has(item.thread.slug)}
        onAction={runAction}
        onMark={mark}
      />
    );
  const first = firstItems.map(renderItem);
  const hidden = showsAll ? 0 : listed.length - shownAtFirst;
  return (
    <div className={threadList} data-threads ref={list}>
      {!findThread(threads, null) && (
        <Link
          className={threadNav}
          to="/workspace/$workspaceSlug"
          params={{ workspaceSlug: slug }}
          activeOptions={{ exact: true }}
          activeProps={{ "aria-current": "page" }}
          draggable={false}
        >
          <span className="truncate">{t("defaultThread")}</span>
        </Link>
      )}
      {showsAll ? (
        <Suspense fallback={first}>
          <ThreadRows items={items} inView={place} renderItem={renderItem} />
        </Suspense>
      ) : (
        first
      )}
      {hidden > 0 && (
        <button type="button" className={threadNav} onClick={() => setExpanded(true)}>
          {t("showMore", { count: hidden })}
        </button>
      )}
      <button type="button" className={threadNav} onClick={() => onNewThread(slug)}>
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        <span className="truncate">{t("newThreadRow")}</span>
      </button>
      {archived > 0 && mode === "off" && (
        <button type="button" className={threadNav} onClick={() => onShow("archive")}>
          <Archive className="size-3.5 stroke-2" aria-hidden="true" />
          <span className="truncate">{t("archived")}</span>
          <span className="ms-auto text-2xs/5 text-fg-3 tabular-nums">{archived}</span>
        </button>
      )}
      {trash > 0 && mode === "off" && (
        <button type="button" className={threadNav} onClick={() => onShow("trash")}>
          <ArchiveRestore className="size-3.5 stroke-2" aria-hidden="true" />
          <span className="truncate">{t("trash")}</span>
          <span className="ms-auto text-2xs/5 text-fg-3 tabular-nums">{trash}</span>
        </button>
      )}
      {(selected.size > 0 || mode === "menu") && (
        <div className="sticky -bottom-4 z-1 -ms-1 flex flex-wrap gap-1 bg-canvas py-1.5">
          <Button
            variant="danger-outline"
            size="sm"
            className="min-w-0 flex-1 max-md:h-10"
            disabled={selected.size === 0}
            onClick={removeMarked}
          >
            <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
            {t("deleteSelected")}
            {selected.size > 0 && <span className="tabular-nums">{selected.size}</span>}
          </Button>
          {mode === "menu" && (
            <Button
              variant="quiet"
              size="sm"
              className="max-md:h-10"
              onClick={() => selectAll(listed)}
            >
              {t("selectAll")}
            </Button>
          )}
          {mode === "menu" && (
            <Button variant="quiet" size="sm" className="max-md:h-10" onClick={endSelecting}>
              {t("selectDone")}
            </Button>
          )}
        </div>
      )}
      {request && (
        <Suspense>
          <ThreadDialog
            slug={slug}
            request={request}
            onDelete={remove}
            onClose={() => setRequest(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** A heading that says what the threads below it have in common. */
function ThreadHeading({ group }: { group: ThreadGroup }) {
  const { t } = useTranslation("shell");
  return (
    <h3 className="truncate px-2 pt-2 pb-0.5 text-2xs/5 font-medium text-fg-3">
      {typeof group === "string" ? t(`group.${group}`) : formatMonth(group.monthOf)}
    </h3>
  );
}
