import { chartTypes, type ChartType, type StepOutput } from "@carrel/contracts";

/** A chart of an answer, as `stepOutput` declares it. */
export type Chart = Extract<StepOutput, { type: "chart" }>;
export type { ChartType };
export { chartTypes };

export type ChartThemeName = "light" | "dark";
export interface ChartTheme {
  background: string;
  title: string;
  text: string;
  faint: string;
  grid: string;
  axis: string;
  track: string;
  series: readonly string[];
}

/**
 * Greys are the app's tokens. Each colour of a series has a contrast of at least 3 to the
 * background, and neighbours differ in lightness as well as hue, for those who see fewer colours.
 */
export const chartThemes: Readonly<Record<ChartThemeName, ChartTheme>> = {
  dark: {
    background: "#181715",
    title: "#f0efec",
    text: "#b9b7b4",
    faint: "#a5a3a0",
    grid: "#242321",
    axis: "#45433f",
    track: "#2a2927",
    series: [
      "#67c8b9",
      "#e4ac59",
      "#7dbdfa",
      "#f0857d",
      "#b8a1f5",
      "#a9cf6d",
      "#ef9cc9",
      "#9fb4c4",
      "#d9d27a",
      "#6f94e8",
    ],
  },
  light: {
    background: "#ffffff",
    title: "#1f1e1c",
    text: "#4e4d4b",
    faint: "#656360",
    grid: "#ebe9e5",
    axis: "#c3c0ba",
    track: "#eeecea",
    series: [
      "#0b7a6d",
      "#c17d12",
      "#2b6cb0",
      "#c0463f",
      "#6b4fb8",
      "#628c22",
      "#b04a86",
      "#5d7688",
      "#8f7f14",
      "#3d55a5",
    ],
  },
};

export const seriesColor = (theme: ChartTheme, index: number): string =>
  theme.series[index % theme.series.length]!;

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** WCAG 2's contrast ratio of two colours written as `#rrggbb`. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Black or white, whichever reads better on the color. */
export const textOn = (color: string): string =>
  contrast(color, "#ffffff") >= contrast(color, "#0a0907") ? "#ffffff" : "#0a0907";
