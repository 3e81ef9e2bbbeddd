import {
  BookOpen,
  Briefcase,
  Globe,
  House,
  Info,
  Link2,
  Mail,
  MessageCircle,
  Phone,
  type LucideIcon,
} from "lucide-react";

/** Icon names that existing clients store, if lucide has them, and some of our own. */
const icons: Record<string, LucideIcon> = {
  BookOpen,
  Briefcase,
  Globe,
  House,
  HouseLine: House,
  Info,
  LinkSimple: Link2,
  Envelope: Mail,
  Mail,
  DiscordLogo: MessageCircle,
  MessageCircle,
  Phone,
};

/** Unknown names get a link icon. */
export const iconOf = (name: string): LucideIcon =>
  Object.hasOwn(icons, name) ? (icons[name] ?? Link2) : Link2;

/** The icons to choose from, by the names that existing clients also show. */
export const footerIcons = [
  "LinkSimple",
  "Globe",
  "HouseLine",
  "BookOpen",
  "Envelope",
  "DiscordLogo",
  "Briefcase",
  "Info",
] as const;
