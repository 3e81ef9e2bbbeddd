import { useTranslation } from "react-i18next";
import { formatDuration } from "../../../lib/format.ts";

/** From here on, every second is shown. */
const shortTime = 60;

/** How long a decision or an answer is awaited: whole minutes, then seconds. */
export function TimeLeft({ seconds }: { seconds: number }) {
  const { t } = useTranslation("steps");
  const shown = seconds > shortTime ? Math.ceil(seconds / 60) * 60 : seconds;
  return t("timeLeft", { time: formatDuration(shown * 1000) });
}
