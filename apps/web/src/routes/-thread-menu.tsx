import type { MarkedThread } from "@carrel/contracts";
import { useNavigate } from "@tanstack/react-router";
import {
  Braces,
  Ellipsis,
  FileText,
  Link2,
  NotebookPen,
  Pencil,
  Printer,
  Trash2,
} from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/ui/button.tsx";
import { Menu } from "../components/ui/overlays.tsx";
import { useThreadExport } from "../features/chat/state/thread-export.ts";
import type { ThreadDialogRequest } from "../features/shell/components/thread-nav.ts";
import { useMarkItems, useThreadMarks } from "../features/shell/state/thread-marks.ts";
import { useThreadRemoval } from "../features/shell/state/thread-removal.ts";
import { useRights } from "../lib/current-user.ts";
import { lazyPart } from "../lib/lazy-part.ts";

const ThreadDialog = lazyPart(() => import("../features/shell/components/thread-dialog.tsx"));

/** Actions for the open thread; `thread` is undefined for a default thread without a question. */
export function ThreadMenu({
  slug,
  thread,
  title,
  onMemories,
}: {
  slug: string;
  thread: MarkedThread | undefined;
  title: string;
  /** null while memories are disabled. */
  onMemories: (() => void) | null;
}) {
  const { t } = useTranslation(["shell", "chat"]);
  const navigate = useNavigate();
  const { admin } = useRights();
  const markItems = useMarkItems();
  const mark = useThreadMarks(slug);
  const removeThreads = useThreadRemoval(slug);
  const [request, setRequest] = useState<ThreadDialogRequest | null>(null);
  const saveAs = useThreadExport(slug, thread?.slug || null, title);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("chat:threadMenu")}>
            <Ellipsis />
          </IconButton>
        }
        items={[
          ...(thread
            ? [
                {
                  label: t("rename"),
                  icon: Pencil,
                  run: () => setRequest({ kind: "rename", thread }),
                },
                ...markItems(thread, mark),
              ]
            : []),
          {
            label: t("share"),
            icon: Link2,
            run: () => setRequest({ kind: "share", threadSlug: thread?.slug || null }),
          },
          { label: t("chat:exportMarkdown"), icon: FileText, run: () => saveAs("markdown") },
          { label: t("chat:exportJson"), icon: Braces, run: () => saveAs("json") },
          { label: t("chat:exportHtml"), icon: Printer, run: () => saveAs("html") },
          {
            label: t("chat:memories"),
            icon: NotebookPen,
            ...(onMemories
              ? { run: onMemories }
              : { closed: admin ? "memoriesAdmin" : "memories", run: () => undefined }),
          },
          ...(thread
            ? [
                {
                  label: t("deleteThread"),
                  icon: Trash2,
                  danger: true,
                  run: () => setRequest({ kind: "delete", thread }),
                },
              ]
            : []),
        ]}
      />
      {request && (
        <Suspense>
          <ThreadDialog
            slug={slug}
            request={request}
            onDelete={(removed) =>
              removeThreads(
                removed,
                () =>
                  void navigate({
                    to: "/workspace/$workspaceSlug",
                    params: { workspaceSlug: slug },
                  }),
              )
            }
            onClose={() => setRequest(null)}
          />
        </Suspense>
      )}
    </>
  );
}
