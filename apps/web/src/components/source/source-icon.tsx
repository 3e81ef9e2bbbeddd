import github from "@lobehub/icons-static-svg/icons/github.svg?inline";
import notion from "@lobehub/icons-static-svg/icons/notion.svg?inline";
import obsidian from "@lobehub/icons-static-svg/icons/obsidian.svg?inline";
import { cva, type VariantProps } from "class-variance-authority";
import { Cloud, Database, Folder, Globe, Link, Mail, Plug, type LucideIcon } from "lucide-react";
import confluence from "./logos/confluence.svg?inline";
import drupal from "./logos/drupal.svg?inline";
import gitea from "./logos/gitea.svg?inline";
import gitlab from "./logos/gitlab.svg?inline";
import jira from "./logos/jira.svg?inline";
import paperlessNgx from "./logos/paperlessngx.svg?inline";
import rss from "./logos/rss.svg?inline";
import youtube from "./logos/youtube.svg?inline";

// The logos in logos/ are from Simple Icons, as those of providers.

interface Logo {
  /** In one colour. */
  image: string;
  /** The brand's colour, if it stands out in both themes; otherwise the text's. */
  color?: string;
}

const logos: Readonly<Record<string, Logo>> = {
  confluence: { image: confluence, color: "#2684ff" },
  drupalwiki: { image: drupal, color: "#009cde" },
  feed: { image: rss, color: "#f5820b" },
  gitea: { image: gitea, color: "#609926" },
  github: { image: github },
  gitlab: { image: gitlab, color: "#fc6d26" },
  jira: { image: jira, color: "#2684ff" },
  notion: { image: notion },
  obsidian: { image: obsidian },
  "paperless-ngx": { image: paperlessNgx, color: "#4f9a5b" },
  youtube: { image: youtube, color: "#ff0033" },
};

const icons: Readonly<Record<string, LucideIcon>> = {
  folder: Folder,
  imap: Mail,
  link: Link,
  s3: Database,
  webdav: Cloud,
  website: Globe,
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
          style={{ maskImage: `url("${logo.image}")`, backgroundColor: logo.color }}
        />
      )}
    </span>
  );
}
