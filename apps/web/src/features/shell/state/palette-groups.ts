import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  CalendarClock,
  FileText,
  Files,
  Keyboard,
  LockKeyhole,
  MessageSquare,
  Moon,
  PanelLeft,
  Plus,
  Settings2,
  SquarePen,
  Sun,
  TextSearch,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import "../../../lib/closed-texts.ts";
import { useRights, useWorkspaceRights } from "../../../lib/current-user.ts";
import { placeHash } from "../../../lib/document-place.ts";
import { documentTextsQuery, excerptPieces } from "../../../lib/document-search.ts";
import { formatAgo, joinFacts, sentenceSpace } from "../../../lib/format.ts";
import { hasKeyboard, shortcutLabel } from "../../../lib/keyboard.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { threadName } from "../../../lib/thread-name.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { documentSearchQuery, minTermLength, searchQuery, traceOf } from "../api/search.ts";
import { findThread, threadsQuery, useOrdered } from "../api/workspaces.ts";
import { toggleSidebar } from "../components/sidebar.tsx";
import { includesAll } from "./hits.ts";
import { readRecentPlaces } from "./recent-places.ts";

const maxHits = 8;

/** Documents whose names match, and places in documents that contain the words. */
function useDocumentItems(
  target: string | null,
  targetName: string | undefined,
  term: string,
  isSearching: boolean,
): {
  named: PaletteItem[];
  inside: PaletteItem[];
  isFetching: boolean;
  isRebuilding: boolean;
  error: Error | null;
} {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const named = useQuery(documentSearchQuery(target, term));
  const inside = useQuery(documentTextsQuery(term, target, maxHits, () => traceOf(term)));
  const isFound = isSearching && term.length >= minTermLength;
  const open = (workspaceSlug: string, hash: string) => () =>
    void navigate({ to: "/workspace/$workspaceSlug/documents", params: { workspaceSlug }, hash });
  return {
    named: (isFound && target !== null ? (named.data?.documents ?? []) : []).map((document) => ({
      id: `document-${document.documentId}`,
      label: document.title,
      ...(targetName !== undefined && { hint: targetName }),
      icon: FileText,
      run: open(target ?? "", `document-${document.documentId}`),
    })),
    inside: (isFound ? (inside.data?.hits ?? []) : []).map((hit) => ({
      id: `place-${hit.documentId}-${hit.start}`,
      label: hit.title,
      pieces: excerptPieces(hit),
      hint: joinFacts([
        hit.page === null ? hit.headingPath.at(-1) : t("onPage", { page: hit.page }),
        hit.workspace.name,
      ]),
      icon: TextSearch,
      run: open(hit.workspace.slug, placeHash({ ...hit, marks: hit.matches })),
    })),
    isFetching: named.isFetching || inside.isFetching,
    isRebuilding: isFound && inside.data?.isRebuilding === true,
    error: inside.error,
  };
}

/** ISO date of a time in seconds or milliseconds. */
const dateOf = (time: number): string => new Date(time < 1e12 ? time * 1000 : time).toISOString();

interface Group {
  name: string;
  items: PaletteItem[];
}

export interface PaletteProps {
  workspaceSlug: string | null;
  threadSlug: string | null;
  /** The workspace a new thread would be created in. */
  target: string | null;
  /** The settings pages that the user may open. */
  settings: PaletteItem[];
  /** Actions of other features, listed only when searched for. */
  actions: PaletteItem[];
  onNewThread: (slug: string) => void;
  onNewWorkspace: () => void;
  onHelp: () => void;
  onClose: () => void;
}

/**
 * Something the user may not do, with the reason below its name; choosing it only shows the reason
 * again.
 */
const closedItem = (id: string, label: string, reason: string): PaletteItem => ({
  id,
  label,
  excerpt: reason,
  icon: LockKeyhole,
  run: () => toast.info(reason),
});

/**
 * The listed items: without a search term recent places, workspaces, threads and actions; with one,
 * whatever matches, settings pages included.
 */
export function usePaletteGroups(
  {
    workspaceSlug,
    threadSlug,
    target,
    settings,
    actions: further,
    onNewThread,
    onNewWorkspace,
    onHelp,
  }: PaletteProps,
  wanted: string,
  term: string,
  words: string[],
): { groups: Group[]; state: string } {
  const { t } = useTranslation(["shell", "common", "closed"]);
  const navigate = useNavigate();
  const { manager } = useRights();
  const { creates, isKnown } = useWorkspaceRights();
  const theme = useTheme();
  const workspaces = useOrdered(useQuery(workspacesQuery).data);
  const threads =
    useQuery({ ...threadsQuery(workspaceSlug ?? ""), enabled: workspaceSlug !== null }).data
      ?.threads ?? [];
  const search = useQuery(searchQuery(term));
  const [recent] = useState(readRecentPlaces);
  const searching = wanted.length >= minTermLength;
  const found = searching && term.length >= minTermLength ? search.data : undefined;

  const goWorkspace = (slug: string) => () =>
    void navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } });
  const goThread = (slug: string, thread: string | null, chatId?: number) => () => {
    const hash = chatId === undefined ? "" : `chat-${chatId}`;
    void (thread === null
      ? navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug }, hash })
      : navigate({
          to: "/workspace/$workspaceSlug/t/$threadSlug",
          params: { workspaceSlug: slug, threadSlug: thread },
          hash,
        }));
  };
  const fits = (item: PaletteItem): boolean =>
    includesAll(`${item.label} ${item.hint ?? ""} ${item.terms ?? ""}`, words);
  const nameOf = (slug: string): string | undefined =>
    workspaces.find((workspace) => workspace.slug === slug)?.name;
  const documents = useDocumentItems(target, nameOf(target ?? ""), term, searching);

  const places = recent
    .filter(
      (place) =>
        nameOf(place.slug) !== undefined &&
        !(
          place.slug === workspaceSlug &&
          (place.thread === threadSlug ||
            (place.thread !== null && !threads.some((thread) => thread.slug === place.thread)))
        ),
    )
    .map((place): PaletteItem => ({
      id: `recent-${place.slug}/${place.thread ?? ""}`,
      label: threadName(findThread(threads, place.thread)?.name ?? place.threadName),
      hint: nameOf(place.slug) ?? place.workspaceName,
      icon: MessageSquare,
      run: goThread(place.slug, place.thread),
    }));
  const spaces = workspaces.map((workspace): PaletteItem => ({
    id: `workspace-${workspace.slug}`,
    label: workspace.name,
    icon: Files,
    run: goWorkspace(workspace.slug),
  }));
  const own = threads.map((thread): PaletteItem => ({
    id: `thread-${thread.slug}`,
    label: threadName(thread.name),
    icon: MessageSquare,
    run: goThread(workspaceSlug ?? "", thread.slug || null),
  }));
  const actions: PaletteItem[] = [
    ...(target
      ? [
          {
            id: "new-thread",
            label: t("newThread"),
            terms: t("terms.newThread"),
            ...(hasKeyboard() && { hint: shortcutLabel("Shift", "O") }),
            icon: SquarePen,
            run: () => onNewThread(target),
          },
          {
            id: "documents",
            label: t("openDocuments"),
            terms: t("terms.documents"),
            icon: Files,
            run: () =>
              void navigate({
                to: "/workspace/$workspaceSlug/documents",
                params: { workspaceSlug: target },
              }),
          },
        ]
      : []),
    {
      id: "schedules",
      label: t("schedules"),
      terms: t("terms.schedules"),
      icon: CalendarClock,
      run: () => void navigate({ to: "/schedules/{-$scheduleId}", params: {}, search: {} }),
    },
    ...(creates
      ? [{ id: "new-workspace", label: t("newWorkspace"), icon: Plus, run: onNewWorkspace }]
      : isKnown
        ? [closedItem("new-workspace", t("newWorkspace"), t("closed:createWorkspaces"))]
        : []),
    ...(manager
      ? [
          {
            id: "settings",
            label: t("settings"),
            icon: Settings2,
            run: () => void navigate({ to: "/settings" }),
          },
        ]
      : []),
    {
      id: "theme",
      label: theme === "light" ? t("darkTheme") : t("lightTheme"),
      terms: t("terms.theme"),
      icon: theme === "light" ? Moon : Sun,
      run: () => chooseTheme(theme === "light" ? "default" : "light"),
    },
    {
      id: "sidebar",
      label: t("toggleSidebar"),
      ...(hasKeyboard() && { hint: shortcutLabel("B") }),
      icon: PanelLeft,
      run: toggleSidebar,
    },
    ...(hasKeyboard()
      ? [
          {
            id: "help",
            terms: t("terms.help"),
            label: t("help"),
            hint: shortcutLabel("/"),
            icon: Keyboard,
            run: onHelp,
          },
        ]
      : []),
  ];
  /** Puts items found by their label first. */
  const byLabel = (items: PaletteItem[]): PaletteItem[] => {
    const named = (item: PaletteItem): boolean => includesAll(item.label, words);
    return [...items.filter(named), ...items.filter((item) => !named(item))];
  };
  const both = (known: PaletteItem[], more: PaletteItem[]): PaletteItem[] => [
    ...known,
    ...more.filter((item) => !known.some((each) => each.id === item.id)),
  ];
  const groups: Group[] =
    words.length === 0
      ? [
          { name: t("recent"), items: places.slice(0, 5) },
          { name: t("workspaces"), items: spaces },
          { name: t("threads"), items: own.slice(0, 20) },
          { name: t("actions"), items: actions },
        ]
      : [
          {
            name: t("workspaces"),
            items: both(
              spaces.filter(fits),
              (found?.workspaces ?? []).map((workspace): PaletteItem => ({
                id: `workspace-${workspace.slug}`,
                label: workspace.name,
                icon: Files,
                run: goWorkspace(workspace.slug),
              })),
            ),
          },
          {
            name: t("threads"),
            items: both(
              own.filter(fits).slice(0, 20),
              (found?.threads ?? []).map((thread): PaletteItem => ({
                id: `thread-${thread.slug}`,
                label: threadName(thread.name),
                hint: thread.workspace.name,
                icon: MessageSquare,
                run: goThread(thread.workspace.slug, thread.slug),
              })),
            ),
          },
          {
            name: t("messages"),
            items: (found?.messages ?? []).map((message): PaletteItem => ({
              id: `chat-${message.chatId}`,
              label: threadName(message.threadName, message.threadSlug),
              excerpt: message.excerpt,
              hint: joinFacts([message.workspace.name, formatAgo(dateOf(message.sentAt))]),
              icon: MessageSquare,
              run: goThread(message.workspace.slug, message.threadSlug, message.chatId),
            })),
          },
          { name: t("documentsFound"), items: documents.named },
          { name: t("inDocuments"), items: documents.inside },
          { name: t("settings"), items: byLabel(settings.filter(fits)) },
          { name: t("actions"), items: byLabel([...actions, ...further].filter(fits)) },
        ];
  const listed = groups.filter((group) => group.items.length > 0);
  const waiting = searching && (term !== wanted || search.isFetching || documents.isFetching);
  const failed = search.error ?? documents.error;
  const state = waiting
    ? t("searching")
    : searching && failed !== null
      ? t("searchFailed", { message: failed.message })
      : [
          ...(listed.length === 0 ? [t(searching ? "paletteEmpty" : "paletteShort")] : []),
          ...(documents.isRebuilding ? [t("common:indexRebuilding")] : []),
        ].join(sentenceSpace());
  return { groups: listed, state };
}

export interface PaletteItem {
  id: string;
  label: string;
  /** Shown below the label. */
  excerpt?: string;
  /** Like `excerpt`, with the server's matches flagged. */
  pieces?: { text: string; hit: boolean }[];
  hint?: string;
  /** Additional terms by which it is found. */
  terms?: string;
  icon: LucideIcon;
  run: () => void;
}
