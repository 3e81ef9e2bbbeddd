export { chatService } from "./chat.service-definition.ts";
