import type { ScheduleWire } from "@carrel/contracts";
import { useEffect, useState } from "react";
import { PageBody } from "../../../components/ui/form-section.tsx";
import { browserZone } from "../../../lib/schedule-timing.ts";
import { contentOf, newContent, readDraft, type Content } from "../state/content.ts";
import { ScheduleForm } from "./schedule-form.tsx";

/** The form of a new schedule or a saved one, with the draft that this browser has kept. */
export function EditPage({
  schedule,
  workspace,
  start,
  ...actions
}: {
  schedule: ScheduleWire | null;
  /** Where a new one is, unless another is chosen; "" if there are several. */
  workspace: string;
  /** What a new one starts from instead of the draft. */
  start: Content | null;
  onDone: (id: string) => void;
  onCancel: () => void;
}) {
  const id = schedule?.id ?? null;
  const [saved] = useState(() =>
    schedule === null ? newContent(workspace, browserZone()) : contentOf(schedule),
  );
  const [draft, setDraft] = useState<{ content: Content | null } | null>(
    start === null ? null : { content: start },
  );
  useEffect(() => {
    if (draft === null) void readDraft(id, saved).then((content) => setDraft({ content }));
  }, [draft, id, saved]);
  if (draft === null) return <PageBody aria-busy="true" />;
  return (
    <ScheduleForm
      schedule={schedule}
      saved={saved}
      initial={draft.content ?? saved}
      isRestored={start === null && draft.content !== null}
      {...actions}
    />
  );
}
