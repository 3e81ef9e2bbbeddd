import { mostSchedules } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { NumberForm } from "../../../components/setting-parts.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { useScheduleChanges } from "../../../lib/schedules.ts";
import { toast } from "../../../lib/toast.ts";
import { useSaveLimit, useSwitchSchedules, type ListReply } from "../api/schedules.ts";
import "../../../lib/schedule-texts.ts";
import { SchedulesPage } from "./schedules-page.tsx";

/** Whether people can schedule work and how much, and everyone's schedules. */
export function AdminPage() {
  useScheduleChanges();
  return <SchedulesPage of="all" head={(list) => <Settings {...list} />} />;
}

function Settings({ enabled, limit, defaultLimit, minimumSeconds }: ListReply) {
  const { t } = useTranslation("schedules");
  const save = useSwitchSchedules();
  const saveLimit = useSaveLimit();
  const change = (on: boolean): void =>
    save.mutate(on, {
      onSuccess: () => toast.success(t(on ? "admin.on" : "admin.off"), () => save.mutate(!on)),
    });
  return (
    <div className="grid max-w-[640px] grid-cols-1 gap-5 border-b border-subtle pb-5">
      <SwitchLine
        label={t("admin.enabled")}
        help={t("admin.enabledHelp")}
        on={enabled}
        busy={save.isPending}
        onChange={change}
      />
      <NumberForm
        label={t("admin.limit")}
        help={t("admin.limitHelp", {
          limit: defaultLimit,
          minutes: Math.max(1, Math.round(minimumSeconds / 60)),
        })}
        saved={limit}
        min={0}
        max={mostSchedules}
        done={t("admin.limitSaved")}
        onSave={(number) => saveLimit.mutateAsync(number === defaultLimit ? null : number)}
      />
    </div>
  );
}
