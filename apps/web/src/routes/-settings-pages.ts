import type { LinkProps } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import type { LucideIcon } from "lucide-react";
import {
  AppWindow,
  AudioLines,
  Bot,
  Braces,
  CalendarClock,
  Captions,
  ChartColumn,
  EyeOff,
  FlaskConical,
  Folder,
  Cpu,
  MessageCircleMore,
  MessageSquareQuote,
  MessagesSquare,
  Database,
  KeyRound,
  Link2,
  Mail,
  NotebookPen,
  Palette,
  Plug,
  Puzzle,
  Scissors,
  ScrollText,
  Shield,
  Store,
  Users,
  Waypoints,
  Webhook,
} from "lucide-react";
import type { Rights } from "../lib/current-user.ts";

interface SettingsLink {
  page:
    | "agents"
    | "language"
    | "prompt"
    | "embedding"
    | "vector"
    | "splitting"
    | "audio"
    | "transcription"
    | "users"
    | "invites"
    | "workspaces"
    | "security"
    | "privacy"
    | "events"
    | "appearance"
    | "keys"
    | "variables"
    | "extension"
    | "personalization"
    | "sharing"
    | "schedules"
    | "usage"
    | "webhooks"
    | "mcp"
    | "hub"
    | "widgets"
    | "beta"
    | "visitors"
    | "chats";
  to: Extract<LinkProps["to"], `/settings/${string}`>;
  /** The rest of the address, for a route of several pages. */
  rest?: string;
  icon: LucideIcon;
  /**
   * Who sees the page; matches the route guards. `team`: managers and admins on an instance with
   * user accounts.
   */
  for: "manager" | "admin" | "team";
}
export type SettingsPageName = SettingsLink["page"];

interface SettingsGroup {
  group: "providersGroup" | "adminGroup" | "appearanceGroup" | "toolsGroup";
  links: SettingsLink[];
}

/**
 * Settings pages in menu order; wire-contract 1.7 defines who sees which. A function, because the
 * chunk with the icons may be evaluated after this module: chunks import each other in a circle.
 */
const listSettings = (): SettingsGroup[] => [
  {
    group: "providersGroup",
    links: [
      { page: "language", to: "/settings/llm-preference", icon: Cpu, for: "admin" },
      { page: "embedding", to: "/settings/embedding-preference", icon: Waypoints, for: "admin" },
      { page: "vector", to: "/settings/vector-database", icon: Database, for: "admin" },
      { page: "splitting", to: "/settings/text-splitter-preference", icon: Scissors, for: "admin" },
      { page: "audio", to: "/settings/audio-preference", icon: AudioLines, for: "admin" },
      {
        page: "transcription",
        to: "/settings/transcription-preference",
        icon: Captions,
        for: "admin",
      },
      { page: "agents", to: "/settings/agents", icon: Bot, for: "admin" },
    ],
  },
  {
    group: "adminGroup",
    links: [
      { page: "users", to: "/settings/users", icon: Users, for: "team" },
      { page: "invites", to: "/settings/invites", icon: Mail, for: "team" },
      { page: "workspaces", to: "/settings/workspaces", icon: Folder, for: "team" },
      {
        page: "prompt",
        to: "/settings/default-system-prompt",
        icon: MessageSquareQuote,
        for: "admin",
      },
      { page: "personalization", to: "/settings/personalization", icon: NotebookPen, for: "admin" },
      { page: "sharing", to: "/settings/shared-links", icon: Link2, for: "admin" },
      { page: "schedules", to: "/settings/scheduled-work", icon: CalendarClock, for: "admin" },
      { page: "security", to: "/settings/security", icon: Shield, for: "manager" },
      { page: "privacy", to: "/settings/privacy", icon: EyeOff, for: "admin" },
      { page: "chats", to: "/settings/workspace-chats", icon: MessagesSquare, for: "manager" },
      { page: "visitors", to: "/settings/embed-chats", icon: MessageCircleMore, for: "admin" },
      { page: "usage", to: "/settings/usage", icon: ChartColumn, for: "manager" },
      { page: "events", to: "/settings/event-logs", icon: ScrollText, for: "admin" },
    ],
  },
  {
    group: "appearanceGroup",
    links: [{ page: "appearance", to: "/settings/appearance", icon: Palette, for: "manager" }],
  },
  {
    group: "toolsGroup",
    links: [
      { page: "keys", to: "/settings/api-keys", icon: KeyRound, for: "admin" },
      { page: "webhooks", to: "/settings/webhooks", icon: Webhook, for: "admin" },
      { page: "widgets", to: "/settings/embed-chat-widgets", icon: AppWindow, for: "admin" },
      { page: "mcp", to: "/settings/mcp-servers", icon: Plug, for: "admin" },
      { page: "hub", to: "/settings/community-hub", icon: Store, for: "admin" },
      { page: "variables", to: "/settings/system-prompt-variables", icon: Braces, for: "admin" },
      { page: "extension", to: "/settings/browser-extension", icon: Puzzle, for: "manager" },
      { page: "beta", to: "/settings/$", rest: "beta-features", icon: FlaskConical, for: "admin" },
    ],
  },
];

const mayOpen = (link: SettingsLink, rights: Rights): boolean =>
  link.for === "admin"
    ? rights.admin
    : rights.manager && (link.for === "manager" || rights.multiUser);

/** The groups, with the pages that someone with these rights may open. */
export const settingsGroupsFor = (rights: Rights): SettingsGroup[] =>
  listSettings()
    .map(({ group, links }) => ({ group, links: links.filter((link) => mayOpen(link, rights)) }))
    .filter(({ links }) => links.length > 0);

/** The terms by which a settings page is found: its title, purpose and keywords. */
export const settingsPageTerms = (t: TFunction<"settings">, page: SettingsPageName): string =>
  [t(`page.${page}`), t(`sentence.${page}`), t(`keywords.${page}`)].join(" ");
