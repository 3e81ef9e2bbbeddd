import type { Locale } from "./en.ts";

export const es: Locale = {
  refusal: "En este espacio de trabajo no hay información relevante para responder a tu consulta.",
  refusalOfChoice:
    "En los documentos elegidos no hay información relevante para responder a tu consulta.",
  widgetRefusal: "No tengo suficiente información para responder a eso. Prueba con otra pregunta.",
  closestPassages: "Ninguna frase responde a esto directamente. Los fragmentos más cercanos:",
  storeUnavailable:
    "{store} no está disponible, así que todavía no se puede buscar en los documentos de este espacio de trabajo. Se añadirán automáticamente en cuanto vuelva a estarlo.",
  noDocuments: "Este espacio de trabajo aún no tiene documentos que citar.",
  nothingFound:
    "No encontré nada que responda a esto en los documentos de este espacio de trabajo.",
  nothingFoundInChoice: "No encontré nada que responda a esto en los documentos elegidos.",
  questionAbout: "¿Qué dice “{title}” sobre {about}?",
  threadDefault: "Hilo predeterminado",
  threadForked: "Hilo ramificado",
  exportWorkspace: "Espacio de trabajo: {name}",
  exportYou: "Tú",
  exportAnswer: "Respuesta",
  exportSources: "Fuentes",
  exportPage: "página {page}",
  exportThought: "Razonamiento",
  exportThoughtFor: "Pensó durante {seconds} s",
  exportPicture: "Imagen",
  exportChat: "Chat",
  exportChatOf: "Chat de {workspace}",
  variableTime: "Hora actual",
  variableDate: "Fecha actual",
  variableDatetime: "Fecha y hora actuales",
  variableTime24: "Hora actual en formato de 24 horas",
  variableDatetime24: "Fecha y hora actuales en formato de 24 horas",
  variableUserName: "Nombre de la persona que usa el chat",
  variableUserBio: "Biografía de la persona que usa el chat",
  variableWorkspaceId: "ID del espacio de trabajo actual",
  variableWorkspaceName: "Nombre del espacio de trabajo actual",
};
