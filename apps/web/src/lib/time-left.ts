import i18next from "i18next";

/** "about 2 minutes left". */
export const timeLeft = (seconds: number): string =>
  seconds < 90
    ? i18next.t("timeLeft.minute")
    : seconds < 5400
      ? i18next.t("timeLeft.minutes", { count: Math.round(seconds / 60) })
      : i18next.t("timeLeft.hours", { count: Math.round(seconds / 3600) });
