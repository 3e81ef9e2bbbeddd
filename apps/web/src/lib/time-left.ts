import i18next from "i18next";

/** "about 2 minutes left"; of less than a minute no more than that. */
export const timeLeft = (seconds: number): string =>
  seconds < 10
    ? i18next.t("timeLeft.seconds")
    : seconds < 45
      ? i18next.t("timeLeft.underMinute")
      : seconds < 90
        ? i18next.t("timeLeft.minute")
        : seconds < 5400
          ? i18next.t("timeLeft.minutes", { count: Math.round(seconds / 60) })
          : i18next.t("timeLeft.hours", { count: Math.round(seconds / 3600) });
