import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  Files,
  Keyboard,
  MessageSquare,
  Moon,
  PanelLeft,
  Plus,
  Search,
  Settings2,
  SquarePen,
  Sun,
  type LucideIcon,
} from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRights } from "../../../lib/current-user.ts";
import { formatAgo } from "../../../lib/format.ts";
import { shortcutLabel } from "../../../lib/keyboard.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { searchQuery, shortestTerm } from "../api/search.ts";
import { threadsQuery } from "../api/workspaces.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { holdsAll, splitHits, wordsOf } from "../state/hits.ts";
import { readRecentPlaces } from "../state/recent-places.ts";
import { toggleSidebar } from "../state/sidebar.ts";
import { useOrdered } from "../state/workspace-order.ts";

interface Item {
  id: string;
  label: string;
  /** Shown below the label. */
  excerpt?: string;
  hint?: string;
  icon: LucideIcon;
  run: () => void;
}
interface Group {
  name: string;
  items: Item[];
}

/** Debounce before asking the server, in ms. */
const pause = 250;

/**
 * Focuses the composer after navigation, because the field that had focus may be gone with its
 * page.
 */
function keepFocus(event: Event): void {
  event.preventDefault();
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      document.querySelector<HTMLElement>(".composer textarea")?.focus();
  });
}

/** The text with the search words highlighted. */
function Hits({ text, words }: { text: string; words: string[] }) {
  return splitHits(text, words).map(({ text: piece, hit }, index) =>
    hit ? <mark key={index}>{piece}</mark> : piece,
  );
}

export interface PaletteProps {
  workspaceSlug: string | null;
  threadSlug: string | null;
  /** The workspace a new thread would be created in. */
  target: string | null;
  onNewThread: (slug: string) => void;
  onNewWorkspace: () => void;
  onHelp: () => void;
  onClose: () => void;
}

/**
 * Finds everything one can open or do: recent places first, then what the server finds in names and
 * messages.
 */
export default function Palette(props: PaletteProps) {
  const { t } = useTranslation("shell");
  const { onClose } = props;
  const [typed, setTyped] = useState("");
  const [term, setTerm] = useState("");
  const wanted = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setTerm(wanted), pause);
    return () => clearTimeout(timer);
  }, [wanted]);
  const words = useMemo(() => wordsOf(wanted), [wanted]);
  const { groups, state } = useGroups(props, wanted, term, words);
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="scrim-over" />
        <Radix.Content
          className="palette"
          aria-describedby={undefined}
          onCloseAutoFocus={keepFocus}
        >
          <Radix.Title className="vh">{t("search")}</Radix.Title>
          <Command label={t("search")} loop shouldFilter={false}>
            <div className="palette-field">
              <Search className="i" aria-hidden="true" />
              <Command.Input
                value={typed}
                onValueChange={setTyped}
                maxLength={200}
                placeholder={t("palettePlaceholder")}
                autoFocus
              />
            </div>
            <Command.List className="palette-list" label={t("search")}>
              {groups.map(({ name, items }) => (
                <Command.Group key={name} heading={name}>
                  {items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={item.id}
                      onSelect={() => {
                        onClose();
                        item.run();
                      }}
                    >
                      <item.icon className="i sm" aria-hidden="true" />
                      <span className="palette-words">
                        <span className="row">
                          <span className="cut">
                            <Hits text={item.label} words={words} />
                          </span>
                          {item.hint && <span className="t3 xs cut ms-auto">{item.hint}</span>}
                        </span>
                        {item.excerpt && (
                          <span className="palette-excerpt">
                            <Hits text={item.excerpt} words={words} />
                          </span>
                        )}
                      </span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            {state && (
              <p className="palette-state" role="status">
                {state}
              </p>
            )}
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * The listed items: without a search term recent places, workspaces, threads and actions; with one,
 * whatever matches.
 */
function useGroups(
  { workspaceSlug, threadSlug, target, onNewThread, onNewWorkspace, onHelp }: PaletteProps,
  wanted: string,
  term: string,
  words: string[],
): { groups: Group[]; state: string | null } {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const { manager } = useRights();
  const theme = useTheme();
  const workspaces = useOrdered(useQuery(workspacesQuery).data);
  const threads =
    useQuery({ ...threadsQuery(workspaceSlug ?? ""), enabled: workspaceSlug !== null }).data
      ?.threads ?? [];
  const search = useQuery(searchQuery(term));
  const [recent] = useState(readRecentPlaces);
  const searching = wanted.length >= shortestTerm;
  const found = searching && term.length >= shortestTerm ? search.data : undefined;

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
  const fits = (item: Item): boolean => holdsAll(`${item.label} ${item.hint ?? ""}`, words);
  const named = (slug: string): string | undefined =>
    workspaces.find((workspace) => workspace.slug === slug)?.name;

  const places = recent
    .filter(
      (place) =>
        named(place.slug) !== undefined &&
        !(
          place.slug === workspaceSlug &&
          (place.thread === threadSlug ||
            (place.thread !== null && !threads.some((thread) => thread.slug === place.thread)))
        ),
    )
    .map((place): Item => ({
      id: `recent-${place.slug}/${place.thread ?? ""}`,
      label: threads.find((thread) => thread.slug === place.thread)?.name ?? place.threadName,
      hint: named(place.slug) ?? place.workspaceName,
      icon: MessageSquare,
      run: goThread(place.slug, place.thread),
    }));
  const spaces = workspaces.map((workspace): Item => ({
    id: `workspace-${workspace.slug}`,
    label: workspace.name,
    icon: Files,
    run: goWorkspace(workspace.slug),
  }));
  const own = threads.map((thread): Item => ({
    id: `thread-${thread.slug}`,
    label: thread.name,
    icon: MessageSquare,
    run: goThread(workspaceSlug ?? "", thread.slug),
  }));
  const actions: Item[] = [
    ...(target
      ? [
          {
            id: "new-thread",
            label: t("newThread"),
            hint: shortcutLabel("Shift", "O"),
            icon: SquarePen,
            run: () => onNewThread(target),
          },
          {
            id: "documents",
            label: t("openDocuments"),
            icon: Files,
            run: () =>
              void navigate({
                to: "/workspace/$workspaceSlug/documents",
                params: { workspaceSlug: target },
              }),
          },
        ]
      : []),
    ...(manager
      ? [
          { id: "new-workspace", label: t("newWorkspace"), icon: Plus, run: onNewWorkspace },
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
      icon: theme === "light" ? Moon : Sun,
      run: () => chooseTheme(theme === "light" ? "default" : "light"),
    },
    {
      id: "sidebar",
      label: t("toggleSidebar"),
      hint: shortcutLabel("B"),
      icon: PanelLeft,
      run: toggleSidebar,
    },
    { id: "help", label: t("help"), hint: shortcutLabel("/"), icon: Keyboard, run: onHelp },
  ];
  const both = (known: Item[], more: Item[]): Item[] => [
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
              (found?.workspaces ?? []).map((workspace): Item => ({
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
              (found?.threads ?? []).map((thread): Item => ({
                id: `thread-${thread.slug}`,
                label: thread.name,
                hint: thread.workspace.name,
                icon: MessageSquare,
                run: goThread(thread.workspace.slug, thread.slug),
              })),
            ),
          },
          {
            name: t("messages"),
            items: (found?.messages ?? []).map((message): Item => ({
              id: `chat-${message.chatId}`,
              label: message.threadSlug === null ? t("defaultThread") : message.threadName,
              excerpt: message.excerpt,
              hint: `${message.workspace.name} · ${formatAgo(new Date(message.sentAt < 1e12 ? message.sentAt * 1000 : message.sentAt).toISOString())}`,
              icon: MessageSquare,
              run: goThread(message.workspace.slug, message.threadSlug, message.chatId),
            })),
          },
          { name: t("actions"), items: actions.filter(fits) },
        ];
  const listed = groups.filter((group) => group.items.length > 0);
  const waiting = searching && (term !== wanted || search.isFetching);
  const state = waiting
    ? t("searching")
    : searching && search.isError
      ? t("searchFailed", { message: search.error.message })
      : listed.length === 0
        ? t(searching ? "paletteEmpty" : "paletteShort")
        : null;
  return { groups: listed, state };
}
