/** Scrolls the first mark to the upper third of its area. */
export function scrollToMark(area: HTMLElement, mark: Element): void {
  area.scrollTop +=
    mark.getBoundingClientRect().top - area.getBoundingClientRect().top - area.clientHeight / 3;
}
