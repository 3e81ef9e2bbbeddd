import github from "@lobehub/icons-static-svg/icons/github.svg?inline";
import notion from "@lobehub/icons-static-svg/icons/notion.svg?inline";
import obsidian from "@lobehub/icons-static-svg/icons/obsidian.svg?inline";
import { cva, type VariantProps } from "class-variance-authority";
import {
  BookOpenText,
  Captions,
  Cloud,
  Database,
  FileStack,
  Folder,
  GitBranch,
  Globe,
  Mail,
  Plug,
  Rss,
  SquareKanban,
  type LucideIcon,
} from "lucide-react";

/** Logos that take the colour of text. */
const logos: Readonly<Record<string, string>> = { github, notion, obsidian };

const icons: Readonly<Record<string, LucideIcon>> = {
  confluence: BookOpenText,
  drupalwiki: BookOpenText,
  feed: Rss,
  folder: Folder,
  gitea: GitBranch,
  gitlab: GitBranch,
  imap: Mail,
  jira: SquareKanban,
  "paperless-ngx": FileStack,
  s3: Database,
  webdav: Cloud,
  website: Globe,
  youtube: Captions,
};

const tile = cva("grid flex-none place-items-center rounded-sm bg-active text-fg-2", {
  variants: { size: { sm: "size-8 *:size-4", lg: "size-10 rounded-md *:size-5" } },
  defaultVariants: { size: "sm" },
});

/** The picture of a kind of source; decorative, because its name is next to it. */
export function SourceIcon({ id, size }: { id: string } & VariantProps<typeof tile>) {
  const logo = logos[id];
  const Icon = icons[id] ?? Plug;
  return (
    <span className={tile({ size })} aria-hidden="true">
      {logo === undefined ? (
        <Icon className="stroke-[1.75]" />
      ) : (
        <span
          className="bg-fg-2 mask-contain mask-center mask-no-repeat forced-color-adjust-none"
          style={{ maskImage: `url("${logo}")` }}
        />
      )}
    </span>
  );
}
