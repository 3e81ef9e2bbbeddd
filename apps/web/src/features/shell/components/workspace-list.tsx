import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { countOf, countsQuery } from "../api/workspaces.ts";
import { moveTo, storeOrder, useOrdered } from "../state/workspace-order.ts";
import { WorkspaceRow } from "./workspace-row.tsx";

/** Workspaces in the user's order, with document counts; the open one shows its threads. */
export function WorkspaceList({
  current,
  currentThread,
  onNewThread,
}: {
  current: string | null;
  currentThread: string | null;
  onNewThread: (slug: string) => void;
}) {
  const { t } = useTranslation("shell");
  const workspaces = useQuery(workspacesQuery);
  const counts = useQuery(countsQuery);
  const ordered = useOrdered(workspaces.data);
  const [said, say] = useState("");
  const list = useRef<HTMLUListElement>(null);
  if (workspaces.isPending)
    return (
      <div className="grid gap-3 p-2" aria-label={t("loadingWorkspaces")}>
        {[70, 52, 60].map((width) => (
          <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  const move = (workspace: WorkspaceWire, place: number): void => {
    const ids = moveTo(
      ordered.map((each) => each.id),
      workspace.id,
      place,
    );
    const focused = document.activeElement;
    storeOrder(ids);
    say(
      t("workspaceMoved", {
        name: workspace.name,
        place: ids.indexOf(workspace.id) + 1,
        count: ids.length,
      }),
    );
    // Some browsers blur an element that moves in the DOM.
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement && list.current?.contains(focused)) focused.focus();
    });
  };
  return (
    <>
      <ul ref={list}>
        {ordered.map((workspace, place) => (
          <WorkspaceRow
            key={workspace.id}
            workspace={workspace}
            documents={countOf(counts.data, workspace.id)?.documents ?? null}
            current={workspace.slug === current}
            currentThread={currentThread}
            onNewThread={onNewThread}
            place={place}
            last={ordered.length - 1}
            onMove={(next) => move(workspace, next)}
          />
        ))}
      </ul>
      <p className="sr-only" role="status">
        {said}
      </p>
    </>
  );
}
