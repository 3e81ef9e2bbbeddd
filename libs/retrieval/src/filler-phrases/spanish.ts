import type { FillerPhrases } from "../filler-roles.ts";

export const spanishFillers: FillerPhrases = {
  glue: `
    el, la, los, las, lo, un, una, unos, unas, de, del, y, e, o, u, pero, así, entonces, también,
    muy, bien, más, menos, poco, que, es, son, ser, sea, está, están, estar, esté, he, has, ha,
    han, hay, había, tener, tiene, tienes, usted, ustedes, tú, tu, tus, su, sus, te, ti, se, le,
    les, no, ni, nada, nunca, si, porque, ya que, para, sobre, a, al, por, en, entre, con, sin,
    solo, sólo, solamente, únicamente, exclusivamente, simplemente, puede, puedes, pueden, posible,
    quiero, quiere, quisiera, gustaría, todo, toda, todos, todas, cada, aquí, ahí, ahora, sí, ok,
    vale, bueno, este, esta, estos, estas, ese, esa, esos, esas, esto, eso, ello, favor, mejor,
    caso, contrario, haz el favor, haga el favor, algo, alguna, alguno, algunas, algunos, hacer,
    vez, viene, vendría, vendría bien, ante, donde sea posible, quizás, acaso
  `,
  self: `
    yo, me, mi, mis, mí, estoy, soy, tengo, nosotros, nos, nuestro, nuestra, nuestros, nuestras,
    estamos, somos, tenemos, como, necesito, necesitamos, quiero, quisiera, quisiéramos,
    me gustaría, nos gustaría
  `,
  modal: `
    puedes, puede, pueden, podrías, podría, podrían, podéis, podríais, podemos, puedo, me podrías,
    me podría, me puedes, me puede, nos podrías, nos podría, nos puede, se puede, es posible,
    sería posible, sería usted tan amable, serías tan amable, sería tan amable, te importaría,
    le importaría, habría alguna posibilidad, alguien puede, alguien podría, alguien me puede,
    alguien me podría
  `,
  please: `
    por favor, porfavor, porfa, si es posible, si no es molestia, si no te importa,
    si no le importa, si tienes tiempo, si tiene tiempo, si eres tan amable, si es tan amable,
    por cierto
  `,
  ask: `
    dime, dinos, dígame, díganos, díganme, decirme, decirnos, me dices, me dice, explica, explique,
    explícame, explíqueme, explicarme, explicarnos, explicar, muéstrame, muéstreme, mostrarme,
    enséñame, recuérdame, recordarme, dame, deme, darme, darnos, ayúdame, ayúdeme, ayudarme,
    ayudarnos, ayudarme a entender, indícame, indíqueme, indicarme, infórmame, informarme,
    describe, describa, descríbeme, describirme, aclárame, aclararme, sabes, sabe usted, sabe,
    sabes si, alguien sabe, saben, me pregunto, me preguntaba, quería saber, quería preguntar,
    quisiera saber, me gustaría saber, nos gustaría saber, quiero saber, necesito saber,
    tengo una pregunta, tengo una duda, una pregunta, una pregunta rápida, pregunta rápida,
    mi pregunta es, mi pregunta, tengo curiosidad, tengo curiosidad por,
    tengo curiosidad por saber, hazme saber, contarme, cuéntame, cuénteme, contestarme, responderme
  `,
  learn: `
    saber, aprender, preguntar, preguntarte, preguntarle, entender, comprender, conocer, averiguar,
    encontrar, descubrir, decir, consultar, saber más
  `,
  after: "si, que, me, nos, más, sobre, por favor, acerca de",
  greeting: `
    hola, buenos días, buenas tardes, buenas noches, buenas, muy buenas, buen día,
    saludos cordiales a todos, hola a todos, hola de nuevo, estimado, estimada, estimados,
    estimadas, querido, querida, queridos, qué tal, cómo estás, cómo está usted, cómo está,
    cómo te va, espero, perdón, perdona, perdone, disculpa, disculpe, disculpen, lo siento, siento,
    pregunta
  `,
  closing: `
    gracias, muchas gracias, mil gracias, muchísimas gracias, gracias de antemano, agradezco,
    te agradezco, se lo agradezco, te lo agradezco, lo agradecería, agradecería, agradecido,
    agradecida, un saludo, saludos, saludos cordiales, un cordial saludo, atentamente,
    cordialmente, un abrazo, hasta luego, adiós, que tengas un buen día, que tenga un buen día,
    buen día
  `,
  courtesy: `
    de antemano, antemano, por adelantado, molestar, molestia, molestarte, molestarle, moleste,
    tiempo, ayuda, paciencia, atención, amabilidad, respuesta, respuestas, mucho, muchas, tarde,
    día, bien, equipo, todos, asistente, mensaje, encuentre, encuentres, estés, esté, tonta, gran
  `,
  verb: `
    responde, responda, respondan, responder, respondas, contesta, conteste, contestar, escribe,
    escriba, escribir, formatea, formatee, da, dé, das, dar, presenta, presente, presentar,
    muestra, muestre, mostrar, devuelve, devuelva, haz, haga, mantén, mantenga, usa, use, usar,
    usando, utiliza, utilice, utilizando, lista, liste, enumera, enumere, pon, ponga, limita,
    limite, limítate, limítese, evita, evite, cita, cite, citar, citando, menciona, mencione,
    indica, indique, indicando, incluye, incluya, sé, sea, estructura, estructure, organiza,
    organice, redacta, redacte, añade, agrega, proporciona, proporcione, básate, básese, consulta,
    consulte, busca, busque, mira, mire, revisa, revise, apóyate, remítete, inventes, invente,
    inventar, inventa, adivines, dilo, dígalo, di, diga, piensa, piense, habla, hable, quiero,
    resume, expresa, traduce, evitando, asegúrate
  `,
  answer: `
    respuesta, respuestas, la respuesta, tu respuesta, su respuesta, explicación, explicaciones,
    resultado, resultados, salida, afirmación, afirmaciones, pregunta, preguntas,
    siguiente pregunta
  `,
  adverb: `
    brevemente, concisamente, en breve, en resumen, en pocas palabras, en detalle, con detalle,
    detalladamente, al detalle, paso a paso, punto por punto, en términos sencillos,
    en términos simples, en palabras sencillas, con palabras sencillas, con palabras simples,
    en lenguaje sencillo, en lenguaje simple, de forma sencilla, de forma breve, de forma concisa,
    de forma resumida, de forma clara, de forma detallada, de manera breve, de manera concisa,
    de manera sencilla, de manera clara, de manera detallada, en forma de lista, en forma de tabla,
    como lista, como una lista, como tabla, como una tabla, en una lista con viñetas, con viñetas,
    en viñetas, como si tuviera cinco años, como si tuviera 5 años, como a un niño,
    como a un niño de cinco años, como a un niño de 5 años, con ejemplos, con un ejemplo,
    con las fuentes, citando las fuentes, citando tus fuentes, textualmente, en formato de lista,
    en formato de tabla, lo más brevemente posible
  `,
  manner: `
    breve, breves, conciso, concisa, concisos, sucinto, sucinta, detallado, detallada, detalladas,
    viñeta, viñetas, lista numerada, lista con viñetas, paso a paso, términos sencillos,
    palabras sencillas, jerga, tecnicismos, inventes nada, invente nada, no inventes, no invente,
    no sabes, no lo sabes, no sabe, no lo sabe, no estás seguro, no está seguro, alucines,
    especules, especule, sinceramente, honesto, conocimiento general, conocimientos generales,
    conocimientos previos, sí o no, tono formal, tono amistoso, tono profesional, educadamente,
    números de página, número de página, al grano
  `,
  form: `
    lista, listas, tabla, tablas, formato, forma, encabezado, encabezados, título, títulos,
    negrita, cursiva, español, castellano, inglés, alemán, francés, italiano, portugués, árabe,
    chino, ruso, japonés, idioma, lenguaje, estilo, tono, sencillo, sencilla, simple, simples,
    claro, clara, claramente, preciso, precisa, completo, completa, corto, corta, cortos, cortas,
    largo, larga, línea, líneas, punto, puntos, ejemplo, ejemplos, fuente, fuentes, citas,
    referencia, referencias, pasaje, pasajes, página, páginas, sección, formal, numerada, ordenada,
    estructurada, máximo, mínimo, principiante, principiantes, niño, detalle, detalles, hechos,
    orden, seguro, segura, nada, nombre, número, fecha, cifra
  `,
  unit: `
    frase, frases, oración, oraciones, palabra, palabras, párrafo, párrafos, caracteres, líneas,
    puntos
  `,
  amount: `
    un, una, uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, cincuenta, cien, pocas,
    pocos, un par, un par de, máximo, un máximo, un máximo de, como máximo, máximo de, a lo sumo,
    al menos, no más de, menos de, más de, unas, unos, aproximadamente, o, a, sola, solo, una sola,
    un solo, cortas, breves, sencillas, simple
  `,
  lead: "en, como, con, usando, utilizando, mediante, por, dentro de, sin, bajo",
  relation: `
    según, de acuerdo con, de acuerdo a, basándote en, basándose en, basado en, basada en,
    basándonos en, con base en, en base a, a partir de, a partir del, sobre la base de,
    a la luz de, teniendo en cuenta, considerando, conforme a, usando, utilizando, con ayuda de,
    a base de, de conformidad con, tomando como base, partiendo de, apoyándote en
  `,
  source: `
    documento, documentos, archivo, archivos, fichero, ficheros, base de conocimiento,
    base de conocimientos, adjunto, adjuntos, contexto, fuente, fuentes, pdf, pdfs,
    espacio de trabajo, documentos fuente
  `,
  matter: `
    texto, textos, contenido, contenidos, material, materiales, datos, información, documentación,
    páginas, pasajes, artículos, artículo, fragmentos, base de datos
  `,
  given: `
    subido, subidos, subida, subidas, cargado, cargados, cargadas, proporcionado, proporcionados,
    proporcionada, proporcionadas, adjunto, adjuntos, adjuntado, adjuntados, anterior, anteriores,
    siguiente, siguientes, dado, dados, dada, facilitado, facilitados, compartido, compartidos,
    disponible, disponibles, suministrado, suministrados, que he subido, que subí, que te di,
    que te he dado, aportados, arriba, abajo, que tienes
  `,
  purpose: `
    preparando, preparar, escribiendo, escribir, trabajando, trabajando en, estudiando, estudio,
    investigando, investigación, buscando, busco, haciendo, redactando, elaborando, organizando,
    planeando, leyendo, aprendiendo, ayuda, un poco de ayuda, algo de ayuda, tu ayuda, su ayuda,
    vendría bien, intentando, tratando, interesado, interesada, nuevo, nueva, agradecería, necesito
  `,
  setting: `
    charla, presentación, exposición, conferencia, discurso, breve, corta, corto, pequeña, pequeño,
    ensayo, artículo, informe, tesis, tesina, trabajo, tarea, tareas, deberes, proyecto, examen,
    clase, curso, seminario, taller, formación, sesión, reunión, entrevista, compañero, compañera,
    compañeros, compañeras, colega, colegas, equipo, jefe, jefa, cliente, clientes, amigos,
    familia, niños, estudiante, alumno, alumna, alumnos, profesor, profesora, maestro, maestra,
    investigador, periodista, empleado, empleada, becario, principiante, escuela, colegio,
    universidad, oficina, empresa, departamento, tema, semana, próxima, que viene, mañana, hoy,
    mes, actualmente, en este momento, lunes, martes, miércoles, jueves, viernes, blog
  `,
  placeholder: "alguien, alguien más, algo más, qué más, quién más, cualquiera",
  asking: "quién, quiénes, cuál, cuáles, cuándo, cuánto, cuánta, cuántos, cuántas, dónde",
  mention: "palabra, palabras, decir, de, dice, significa, término, el, la",
};
