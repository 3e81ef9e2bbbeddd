import "@testing-library/jest-dom";
import { startI18n } from "./lib/i18n.ts";

window.scrollTo = () => undefined; // missing in jsdom; the router calls it on navigation
window.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
})) as unknown as typeof window.matchMedia;
startI18n();
