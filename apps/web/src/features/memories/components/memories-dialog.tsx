import { quotingProvider, type MemoryWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { ConfirmDialog } from "../../../components/ui/prompt-dialogs.tsx";
import { shortenName } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import memories from "../../../locales/en/memories.json" with { type: "json" };
import {
  memoriesQuery,
  useCreateMemory,
  useDeleteMemory,
  useMoveMemory,
  useUpdateMemory,
} from "../api/memories.ts";
import { MemorySection, type Editing, type MemoryHandlers } from "./memory-section.tsx";

// Loaded with these pages, not with the first one.
addTexts("memories", memories);

const inRow = (id: number, act: string): string => `[data-memory="${id}"] [data-act="${act}"]`;

/** The user's private memories: this workspace's and the global ones. */
export default function MemoriesDialog({
  slug,
  name,
  provider,
  onClose,
}: {
  slug: string;
  name: string;
  /** The workspace's provider; null: the instance's. */
  provider: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("memories");
  const query = useQuery(memoriesQuery(slug));
  const setup = useQuery(setupQuery).data;
  const create = useCreateMemory();
  const update = useUpdateMemory();
  const move = useMoveMemory(slug);
  const remove = useDeleteMemory(slug);
  const isQuoted =
    setup !== undefined && (provider ?? setup.LLMProvider ?? quotingProvider) === quotingProvider;
  const isAutomatic = setup?.MemoryAutoExtraction === true && !isQuoted;
  const [editing, setEditing] = useState<Editing>(null);
  const [removing, setRemoving] = useState<MemoryWire | null>(null);
  const box = useRef<HTMLDivElement>(null);
  /** Selectors to focus after the next render; the first match wins. */
  const next = useRef<string[]>([]);
  useEffect(() => {
    if (next.current.length === 0 || removing !== null) return;
    const found = next.current
      .map((selector) => box.current?.querySelector<HTMLElement>(`${selector}:not(:disabled)`))
      .find(Boolean);
    if (!found) return;
    next.current = [];
    found.focus();
  });
  const edit = (wanted: Editing): void => {
    if (wanted === null && editing !== null)
      next.current =
        "id" in editing
          ? [inRow(editing.id, "edit")]
          : [`[data-scope="${editing.scope}"] [data-add]`];
    setEditing(wanted);
  };
  const handlers: MemoryHandlers = {
    edit,
    add: async (scope, content) => {
      const memory = await create.mutateAsync({ slug, scope, content });
      next.current = [`[data-scope="${scope}"] [data-add]`, inRow(memory.id, "edit")];
      setEditing(null);
    },
    change: async (memory, content) => {
      await update.mutateAsync({ id: memory.id, content });
      next.current = [inRow(memory.id, "edit")];
      setEditing(null);
    },
    move: (memory) => {
      move.mutate(
        { id: memory.id, to: memory.scope === "global" ? "workspace" : "global" },
        {
          onSuccess: () =>
            toast.success(memory.scope === "global" ? t("demoted", { name }) : t("promoted")),
          onSettled: () => {
            next.current = [inRow(memory.id, "move")];
          },
        },
      );
    },
    remove: setRemoving,
  };
  const memories = query.data;
  const isEmpty = useMemo(
    () => memories !== undefined && memories.global.length + memories.workspace.length === 0,
    [memories],
  );
  const confirmRemoval = (memory: MemoryWire): Promise<unknown> => {
    const list = memories?.[memory.scope] ?? [];
    const at = list.findIndex(({ id }) => id === memory.id);
    const neighbour = list[at + 1] ?? list[at - 1];
    return remove.mutateAsync(memory, {
      onSuccess: () => {
        next.current = [
          ...(neighbour ? [inRow(neighbour.id, "remove")] : []),
          `[data-scope="${memory.scope}"] [data-add]`,
        ];
      },
    });
  };
  const endRemoving = (): void => {
    if (removing !== null && next.current.length === 0)
      next.current = [inRow(removing.id, "remove")];
    setRemoving(null);
  };
  return (
    // Esc and a click outside cancel editing first, and close the dialog only after that.
    <Dialog
      open
      onClose={() => (editing === null ? onClose() : edit(null))}
      title={t("title")}
      description={t("text")}
      className="max-h-[min(760px,100dvh-32px)] w-[min(640px,100vw-24px)] grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] gap-0 overflow-hidden p-0 *:first:px-6 *:first:pt-6 *:first:pb-4 max-md:h-dvh max-md:max-h-none max-md:w-screen max-md:animate-none max-md:rounded-none max-md:p-0 max-md:*:first:px-4 max-md:*:first:pt-5 max-md:*:first:pb-3"
    >
      {query.error ? (
        <Notice
          className="mx-6 max-md:mx-4 max-md:self-start"
          kind="bad"
          action={
            <Button size="sm" className="max-md:h-10" onClick={() => void query.refetch()}>
              {t("retry")}
            </Button>
          }
        >
          <p>
            <b>{t("loadFailed")}</b>
          </p>
          <p>{query.error.message}</p>
        </Notice>
      ) : !memories ? (
        <div
          className="mx-6 grid gap-4 max-md:mx-4 max-md:self-start"
          role="status"
          aria-busy="true"
          aria-label={t("loading")}
        >
          {[40, 70, 55].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      ) : (
        <div
          ref={box}
          className="grid content-start gap-6 overflow-auto px-6 pb-5 [scrollbar-width:thin] max-md:self-stretch max-md:px-4"
        >
          {(isEmpty || isQuoted || isAutomatic) && (
            <Notice>
              <p>
                {[
                  isEmpty && t("empty"),
                  isQuoted && t("quoted", { name }),
                  isAutomatic && t("byItself", { name }),
                ]
                  .filter(Boolean)
                  .join(" ")}
              </p>
            </Notice>
          )}
          {(["workspace", "global"] as const).map((scope) => (
            <MemorySection
              key={scope}
              scope={scope}
              name={name}
              memories={memories[scope]}
              editing={editing}
              busy={move.isPending ? move.variables.id : null}
              handlers={handlers}
            />
          ))}
        </div>
      )}
      <DialogFooter className="border-t border-subtle px-6 py-3 max-md:px-4">
        <Button variant="quiet" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
      {removing && (
        <ConfirmDialog
          open
          title={t("removeTitle")}
          text={t("removeText", { text: shortenName(removing.content, 120) })}
          action={t("removeAction")}
          onConfirm={() => confirmRemoval(removing)}
          onClose={endRemoving}
        />
      )}
    </Dialog>
  );
}
