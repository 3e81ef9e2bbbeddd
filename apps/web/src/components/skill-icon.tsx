import {
  BookOpenText,
  CalendarClock,
  CalendarDays,
  ChartColumn,
  CircleHelp,
  Database,
  FilePlus2,
  FileSearch,
  FolderOpen,
  Globe,
  Mail,
  Plug,
  ScrollText,
  SquareTerminal,
  type LucideIcon,
} from "lucide-react";
import { createElement } from "react";

/** A function, because the chunk with the icons may be evaluated after this module. */
const icons = (): Readonly<Record<string, LucideIcon>> => ({
  "rag-memory": FileSearch,
  "document-summarizer": ScrollText,
  "web-scraping": BookOpenText,
  "web-browsing": Globe,
  "request-user-input": CircleHelp,
  "create-chart": ChartColumn,
  "create-scheduled-job": CalendarClock,
  "code-interpreter": SquareTerminal,
  "create-files-agent": FilePlus2,
  "sql-agent": Database,
  "filesystem-agent": FolderOpen,
  "gmail-agent": Mail,
  "google-calendar-agent": CalendarDays,
  "outlook-agent": Mail,
});
let known: ReturnType<typeof icons> | null = null;

/** The icon of a skill; MCP servers and unknown skills have a plug. */
export const SkillIcon = ({ skill, className }: { skill: string; className: string }) =>
  createElement((known ??= icons())[skill] ?? Plug, { className, "aria-hidden": true });
