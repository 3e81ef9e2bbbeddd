/** Of saved pictures, in pixels per CSS pixel. */
const scale = 2;
const margin = 16;
const titleHeight = 36;
/** What a stylesheet or a variable gives to the elements of a chart. */
const styled = [
  "fill",
  "stroke",
  "font-size",
  "font-family",
  "font-weight",
  "text-anchor",
] as const;

/** The chart as an SVG that looks the same without the page: title, background, resolved colours. */
export function drawSvg(chart: SVGSVGElement, title: string, box: HTMLElement): string {
  const { width, height } = chart.getBoundingClientRect();
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll("*")];
  const { backgroundColor, color, fontFamily } = getComputedStyle(box);
  for (const [index, element] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(originals[index]!);
    for (const name of styled) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
    element.removeAttribute("style");
    element.removeAttribute("tabindex");
  }
  copy.setAttribute("x", String(margin));
  copy.setAttribute("y", String(titleHeight));
  const whole = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const size = [width + 2 * margin, height + titleHeight + margin].map(Math.ceil);
  whole.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  whole.setAttribute("width", String(size[0]));
  whole.setAttribute("height", String(size[1]));
  const add = (name: string, attributes: Record<string, string>): Element => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    whole.append(element);
    return element;
  };
  add("rect", { width: "100%", height: "100%", fill: backgroundColor });
  add("text", {
    x: String(margin),
    y: "24",
    fill: color,
    "font-family": fontFamily,
    "font-size": "14",
    "font-weight": "600",
  }).textContent = title;
  whole.append(copy);
  return new XMLSerializer().serializeToString(whole);
}

export const svgBlob = (svg: string): Blob => new Blob([svg], { type: "image/svg+xml" });

/** The SVG as a picture of twice its size. */
export async function pngBlob(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("toBlob"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
