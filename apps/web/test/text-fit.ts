import { languageTag, type Language } from "@carrel/contracts/languages";
import { settled } from "@carrel/testing";
import { expect, type Page } from "@playwright/test";

/** Shows the open page in another language, as if it had been chosen in another tab. */
export async function showIn(page: Page, language: Language): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem("i18nextLng", chosen);
    dispatchEvent(new StorageEvent("storage", { key: "i18nextLng" }));
  }, language);
  await expect(page.locator("html")).toHaveAttribute("lang", languageTag(language));
  await settled(page);
}

/** Texts of the page: those that are the same in every language are names and other data. */
export const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent?.trim() ?? "");
    return [...new Set(texts)];
  });

/**
 * Texts that don't fit: cut off, sticking out of their button or cell, covered by something, or
 * wider than the page. `data` are texts that may be shortened.
 */
export const misfits = (page: Page, data: readonly string[]): Promise<string[]> =>
  page.evaluate((known) => {
    const slack = 1.5;
    const faults: string[] = [];
    const note = (fault: string, text: string): void => {
      faults.push(`${fault}: ${text.slice(0, 80)}`);
    };
    const isData = new Set(known);
    const root = document.scrollingElement!;
    if (root.scrollWidth > innerWidth + slack) note("the page scrolls sideways", document.title);
    /** Whether the point is outside of a list that scrolls. */
    const isScrolledAway = (element: HTMLElement, x: number, y: number): boolean => {
      for (let at: HTMLElement | null = element; at; at = at.parentElement) {
        if (!/auto|scroll/.test(getComputedStyle(at).overflowY)) continue;
        const box = at.getBoundingClientRect();
        if (x < box.left || x > box.right || y < box.top || y > box.bottom) return true;
      }
      return false;
    };
    /** A bar under which the page scrolls. */
    const isBar = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (/sticky|fixed/.test(getComputedStyle(at).position)) return true;
      return element.closest("header, footer, [data-bottom-bar]") !== null;
    };
    const boxes =
      "button, a, label, th, td, legend, [role=tab], [role=radio], [role=menuitem], [role=option], [role=status], [data-badge]";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.textContent?.trim() ?? "";
      const element = node.parentElement!;
      // A link for the keyboard is out of sight, and counts elsewhere.
      const left = "script, style, option, pre, code, [aria-hidden=true], [data-skip-link]";
      if (text === "" || element.closest(left)) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(
        ({ width, height }) => width > 2 && height > 2,
      );
      if (lines.length === 0) continue;
      // For screen readers only.
      const own = element.getBoundingClientRect();
      if (own.width <= 2 || own.height <= 2) continue;
      let isCut = false;
      /** By "…", as names are. */
      let isShortened = false;
      for (let at: HTMLElement | null = element; at && !isCut; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const isShort = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        // A bar's title names what is open, such as a new flow; the page's title has it whole.
        isShortened = isShort && (isData.has(text) || element.closest("header") !== null);
        if (isShortened) break;
        const scrolls = /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`);
        if (scrolls) break;
        const box = at.getBoundingClientRect();
        isCut = lines.some(
          (line) =>
            (style.overflowX !== "visible" &&
              (line.right > box.right + slack || line.left < box.left - slack)) ||
            (style.overflowY !== "visible" &&
              (line.bottom > box.bottom + line.height / 3 || line.top < box.top - line.height / 3)),
        );
      }
      if (isCut) note("cut off", text);
      const holder = element.closest(boxes);
      const box = holder?.getBoundingClientRect();
      if (
        !isCut &&
        !isShortened &&
        box &&
        box.width > 4 &&
        lines.some((line) => line.right > box.right + slack || line.left < box.left - slack)
      )
        note("sticks out", text);
      for (const line of lines) {
        const [x, y] = [line.left + line.width / 2, line.top + line.height / 2];
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
        const top = document.elementFromPoint(x, y);
        if (top === null || top.contains(element) || element.contains(top)) continue;
        // A control that is drawn by its label lies over it.
        if (getComputedStyle(top).opacity === "0" || top.matches("input")) continue;
        const layer = top.closest(
          "[role=dialog], [role=menu], [data-radix-popper-content-wrapper]",
        );
        if (layer === null && !isScrolledAway(element, x, y) && !isBar(top)) note("covered", text);
      }
    }
    return [...new Set(faults)];
  }, data);
