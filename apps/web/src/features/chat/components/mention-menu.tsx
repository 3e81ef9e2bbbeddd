import { listDocumentStatuses, type Out, type WorkspaceDocumentStatus } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Bot, Brain, FileText, Folder } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../lib/api.ts";
import { readyProvidersQuery } from "../../../lib/providers.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { threadModelQuery } from "../api/thread-model.ts";
import type { Mention } from "../state/mentions.ts";
import { modelEntries } from "../state/model-entries.ts";
import { ComposerList, type ListEntry, type ListKeys } from "./composer-list.tsx";

const mostDocuments = 6;
/** Folders come from this many of a workspace's newest documents. */
const mostSeen = 200;

/** The folders of these documents, by label; duplicate labels get a number. */
export function nameFolders(
  documents: Pick<WorkspaceDocumentStatus, "folder" | "folderLabel">[],
): { name: string; label: string }[] {
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  for (const { folder, folderLabel = folder } of documents) {
    // The root contains everything that isn't in a folder.
    if (folder === undefined || folderLabel == null || folders.has(folder)) continue;
    let label = folderLabel;
    for (let n = 2; taken.has(label); n += 1) label = `${folderLabel} (${n})`;
    taken.add(label);
    folders.set(folder, label);
  }
  return Array.from(folders, ([name, label]) => ({ name, label }));
}

/** Documents whose names match, or the newest ones. */
const mentionableQuery = (slug: string, term: string) =>
  queryOptions({
    queryKey: documentKeys.named(slug, `@${term}`),
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        listDocumentStatuses,
        { slug, search: clipText(term, 200), limit: mostDocuments },
        { signal },
      ),
  });

const mentionableFoldersQuery = (slug: string) =>
  queryOptions({
    queryKey: documentKeys.named(slug, "@folders"),
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
    queryFn: ({ signal }) => call(listDocumentStatuses, { slug, limit: mostSeen }, { signal }),
    select: ({ documents }: Out<typeof listDocumentStatuses>) => nameFolders(documents),
  });

const mostOfAKind = 4;

/** Documents, folders and models that match what was typed after the `@`. */
export default function MentionMenu({
  id,
  slug,
  threadSlug,
  typed,
  keysRef,
  onActive,
  onPick,
  onAgent,
  onClose,
}: {
  id: string;
  slug: string;
  threadSlug: string | null;
  typed: string;
  keysRef: RefObject<ListKeys | null>;
  onActive: (option: string | null) => void;
  onPick: (mention: Mention) => void;
  /** Asks the agent; null where it can't be asked, within a question. */
  onAgent: (() => void) | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const { data: found, isPending } = useQuery(mentionableQuery(slug, typed));
  const documents = found?.documents ?? [];
  const folders = useQuery(mentionableFoldersQuery(slug)).data ?? [];
  const current = useQuery(threadModelQuery(slug, threadSlug)).data;
  const ready = useQuery({
    ...readyProvidersQuery(slug),
    enabled: current?.mayChoose === true,
  }).data;
  const wanted = typed.toLowerCase();
  const matches = (name: string): boolean => name.toLowerCase().includes(wanted);
  const models = current?.mayChoose ? modelEntries(ready?.providers ?? [], current) : [];
  const entries: ListEntry[] = [
    ...documents.map(({ documentId, title, folder, folderLabel = folder }) => ({
      id: `document-${documentId}`,
      icon: FileText,
      label: title,
      help: folderLabel ?? "",
      run: () => onPick({ kind: "document", id: documentId, name: title }),
    })),
    ...folders
      .filter(({ label }) => matches(label))
      .slice(0, mostOfAKind)
      .map(({ name, label }) => ({
        id: `folder-${name}`,
        icon: Folder,
        label,
        help: t("mentionFolder"),
        run: () => onPick({ kind: "folder", id: name, name: label }),
      })),
    ...models
      .flatMap(({ heading, entries: listed }) =>
        listed.map((entry) => ({ ...entry, provider: heading })),
      )
      .filter(({ name, provider }) => name !== null && (matches(name) || matches(provider ?? "")))
      .slice(0, mostOfAKind)
      .flatMap(({ key, name, provider, choice }) =>
        name === null || choice === null
          ? []
          : {
              id: `model-${key.replaceAll(" ", "-")}`,
              icon: Brain,
              label: name,
              help: provider ?? t("mentionModel"),
              run: () => onPick({ kind: "model", id: key, name, choice }),
            },
      ),
    ...(onAgent !== null && "agent".startsWith(wanted)
      ? [
          {
            id: "agent",
            icon: Bot,
            label: t("mentionAgent"),
            help: t("mentionAgentHelp"),
            run: onAgent,
          },
        ]
      : []),
  ];
  // Documents come first: without them, whoever is about to choose would see the list move.
  if (isPending || entries.length === 0) return null;
  return (
    <ComposerList
      id={id}
      label={t(current?.mayChoose === false ? "mentionNoModel" : "mention")}
      entries={entries}
      keysRef={keysRef}
      picksOnEnter
      onActive={onActive}
      onClose={onClose}
    />
  );
}
