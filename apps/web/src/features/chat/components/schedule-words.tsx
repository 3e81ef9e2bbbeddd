import { useTranslation } from "react-i18next";
import { useCronWords } from "../../../lib/cron-words.ts";
import "../../../lib/schedule-texts.ts";
import { sayWritten } from "../../../lib/schedule-words.ts";

/** What an agent wants to schedule, such as `0 9 * * * (UTC)`, in words; loaded with these. */
export default function ScheduleWords({ written }: { written: string }) {
  const { t } = useTranslation("schedules");
  useCronWords();
  const [, schedule, zone] = /^(.*) \(([^()]+)\)$/.exec(written) ?? [];
  if (schedule === undefined || zone === undefined) return null;
  const words = sayWritten(t, schedule, zone);
  return words && <p className="mt-1 font-medium">{words}</p>;
}
