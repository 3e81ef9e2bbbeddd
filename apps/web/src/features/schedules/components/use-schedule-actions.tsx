import type { ListedScheduleWire, ScheduleWire } from "@carrel/contracts";
import { useNavigate } from "@tanstack/react-router";
import { Copy, KeyRound, Pause, Pencil, Play, Trash2, Zap } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { useCurrentUser } from "../../../lib/current-user.ts";
import { isGoing } from "../../../lib/schedules.ts";
import { toast } from "../../../lib/toast.ts";
import { useDeleteSchedule, useRotateSecret, useRunNow, useSetActive } from "../api/schedules.ts";
import { SecretDialog } from "./secret-dialog.tsx";

/** Whether the person owns a schedule: only then may they change, run and resume it. */
export function useIsOwner(): (schedule: Pick<ScheduleWire, "ownerId">) => boolean {
  const user = useCurrentUser();
  return ({ ownerId }) => ownerId === (user?.id ?? null);
}

/** What they need to know of a schedule. */
type Acted = Pick<
  ListedScheduleWire,
  "id" | "name" | "ownerId" | "active" | "lastRun" | "delivery"
>;

/** What can be done with schedules, and the dialogs that it needs. */
export function useScheduleActions({ onDeleted }: { onDeleted?: () => void }): {
  menuOf: (schedule: Acted) => MenuItem[];
  setActive: (schedule: Acted, active: boolean) => void;
  run: (schedule: Acted) => void;
  isStarting: boolean;
  dialogs: ReactNode;
} {
  const { t } = useTranslation("schedules");
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const active = useSetActive();
  const start = useRunNow();
  const remove = useDeleteSchedule();
  const rotate = useRotateSecret();
  const [open, setOpen] = useState<{ dialog: "delete" | "rotate"; schedule: Acted } | null>(null);
  const close = (): void => setOpen(null);
  const setActive = ({ id }: Acted, next: boolean): void =>
    active.mutate(
      { id, active: next },
      { onSuccess: () => toast.success(t(next ? "turnedOn" : "turnedOff")) },
    );
  const run = ({ id, name }: Acted): void =>
    start.mutate(id, { onSuccess: () => toast.success(t("runStarted", { name })) });
  const menuOf = (schedule: Acted): MenuItem[] => {
    const mine = isOwner(schedule);
    return [
      ...(mine
        ? [
            {
              label: t("menu.run"),
              icon: Zap,
              disabled: isGoing(schedule.lastRun?.state),
              run: () => run(schedule),
            },
            {
              label: t("menu.edit"),
              icon: Pencil,
              run: () =>
                void navigate({
                  to: "/schedules/{-$scheduleId}",
                  params: { scheduleId: schedule.id },
                  search: { edit: true },
                }),
            },
            {
              label: t("menu.duplicate"),
              icon: Copy,
              run: () =>
                void navigate({
                  to: "/schedules/{-$scheduleId}",
                  params: { scheduleId: "new" },
                  search: { from: schedule.id },
                }),
            },
          ]
        : []),
      ...(schedule.active
        ? [{ label: t("menu.pause"), icon: Pause, run: () => setActive(schedule, false) }]
        : mine
          ? [{ label: t("menu.resume"), icon: Play, run: () => setActive(schedule, true) }]
          : []),
      ...(mine && schedule.delivery.webhook !== null
        ? [
            {
              label: t("menu.rotate"),
              icon: KeyRound,
              run: () => setOpen({ dialog: "rotate", schedule }),
            },
          ]
        : []),
      {
        label: t("menu.delete"),
        icon: Trash2,
        danger: true,
        run: () => setOpen({ dialog: "delete", schedule }),
      },
    ];
  };
  const dialogs = (
    <>
      {open?.dialog === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteTitle", { name: open.schedule.name })}
          text={t("deleteText")}
          action={t("menu.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(open.schedule.id, {
              onSuccess: () => {
                toast.success(t("deleted"));
                onDeleted?.();
              },
            })
          }
        />
      )}
      {open?.dialog === "rotate" && !rotate.isSuccess && (
        <ConfirmDialog
          open
          title={t("rotateTitle")}
          text={t("rotateText")}
          action={t("rotate")}
          onClose={() => !rotate.isPending && close()}
          onConfirm={() => rotate.mutateAsync(open.schedule.id)}
        />
      )}
      {rotate.isSuccess && (
        <SecretDialog
          title={t("rotatedTitle")}
          value={rotate.data}
          onClose={() => {
            rotate.reset();
            close();
          }}
        />
      )}
    </>
  );
  return { menuOf, setActive, run, isStarting: start.isPending, dialogs };
}
