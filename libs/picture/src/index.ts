export { encodePicture, largestPicture, type PictureBox } from "./encode-picture.ts";
export { encodeScanPage } from "./encode-scan-page.ts";
export { ConcurrencyLimit } from "./concurrency-limit.ts";
export { detectPictureFormat, type PictureFormat } from "./picture-format.ts";
