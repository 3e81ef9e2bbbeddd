import type { Page } from "@playwright/test";

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
    const boxes =
      "button, a, label, th, td, legend, [role=tab], [role=radio], [role=menuitem], [role=option], [role=status], [data-badge]";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.textContent?.trim() ?? "";
      const element = node.parentElement!;
      if (text === "" || element.closest("script, style, option, pre, code, [aria-hidden=true]"))
        continue;
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
      for (let at: HTMLElement | null = element; at && !isCut; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const isShort = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        if (isShort && isData.has(text)) break;
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
        const layer = top.closest(
          "[role=dialog], [role=menu], [data-radix-popper-content-wrapper]",
        );
        const scroller = element.closest("[data-scroller]");
        const isUnderBar =
          top.closest("header, footer, [data-bottom-bar], .sticky, [data-sticky]") !== null;
        if (layer === null && !isUnderBar && (scroller === null || scroller.contains(top)))
          note("covered", text);
      }
    }
    return [...new Set(faults)];
  }, data);
