/** A text in each language, and the encodings that files of it come in. */
export const encodedTexts: { language: string; encodings: string[]; text: string }[] = [
  {
    language: "German",
    encodings: ["windows-1252", "cp850", "cp437", "macintosh"],
    text: "Der Hafenmeister prüft täglich die Gebühren für größere Schiffe. Möwen kreisen über dem Kai, während die Fässer mit Süßöl verladen werden. Müller und Söhne zahlten fünfzig Taler, die Brüder Krähe nur zwölf. Für Schäden an der Mole haftet der Eigentümer; Verstöße meldet man schriftlich beim Bürgermeister.",
  },
  {
    language: "French",
    encodings: ["windows-1252", "cp850", "iso-8859-15", "macintosh"],
    text: "Le capitaine du port vérifie chaque matin les droits payés par les bateaux à vapeur. La gardienne du phare habite l'île Céleste, où les élèves apprennent à réparer des filets. Après la tempête, le conseil a décidé de reconstruire la jetée détruite et d'élargir le chenal jusqu'à la forêt.",
  },
  {
    language: "Spanish",
    encodings: ["windows-1252", "cp850", "macintosh"],
    text: "El capitán del puerto revisó los barcos después del almuerzo. La señora Núñez vive en la pequeña isla del cañón y enseña a los niños a leer las señales. ¿Cuánto cuesta el pasaje? El año próximo habrá más días de pesca según el último acuerdo de la región.",
  },
  {
    language: "Portuguese",
    encodings: ["windows-1252", "cp850"],
    text: "O capitão do porto não está disponível às segundas-feiras. A guardiã do farol vive na ilha de São Tomás e ensina as crianças a ler os sinais. Depois da tempestade, a administração decidiu construir três novos molhes e comprar uma embarcação para a fiscalização.",
  },
  {
    language: "Swedish",
    encodings: ["windows-1252", "cp850", "macintosh"],
    text: "Hamnkaptenen på ön går varje morgon längs bryggan för att räkna båtarna. Fyrvaktaren bor på Måsskär och äter sällan kött. Efter stormen måste rådet bygga en större vågbrytare, och alla fiskare får betala högre avgifter nästa år.",
  },
  {
    language: "Danish",
    encodings: ["windows-1252", "cp850"],
    text: "Havnekaptajnen på øen går hver morgen langs kajen for at tælle bådene. Fyrpasseren bor på Mågeø og køber brød af bageren. Efter stormen må rådet bygge en større mole, og fiskerne får højere afgifter næste år.",
  },
  {
    language: "Icelandic",
    encodings: ["windows-1252"],
    text: "Hafnarstjórinn gengur á hverjum morgni meðfram bryggjunni og telur bátana. Vitavörðurinn býr á lítilli eyju og kaupir brauð í þorpinu. Eftir óveðrið þurfti ráðið að byggja stærri garð.",
  },
  {
    language: "Italian",
    encodings: ["windows-1252", "cp850"],
    text: "Il capitano del porto può verificare le tariffe perché la società è pubblica. La guardiana del faro abita più lontano, laggiù sull'isola. Così la città pagherà metà del lavoro lunedì e l'altra metà venerdì, secondo la volontà del consiglio.",
  },
  {
    language: "Czech",
    encodings: ["windows-1250", "iso-8859-2", "cp852"],
    text: "Přístavní kapitán každé ráno prohlíží lodě a vybírá poplatky. Strážkyně majáku bydlí v Žižkově ulici a učí děti číst znamení. Po bouřce rozhodla rada, že se molo musí opravit do příští středy. Šňůra je příliš dlouhá a kůň už odpočívá.",
  },
  {
    language: "Polish",
    encodings: ["windows-1250", "iso-8859-2", "cp852"],
    text: "Kapitan portu każdego ranka sprawdza opłaty wszystkich łodzi. Strażniczka latarni mieszka na wyspie Źdźbło i uczy dzieci czytać znaki. Po burzy rada postanowiła odbudować zniszczone molo, a rybacy zapłacą w przyszłym roku więcej. Łódź jest już gotowa, żeby wypłynąć.",
  },
  {
    language: "Hungarian",
    encodings: ["windows-1250", "iso-8859-2"],
    text: "A kikötő kapitánya minden reggel ellenőrzi a hajók díjait. A világítótorony őre egy kis szigeten él, és a gyerekeket jelek olvasására tanítja. A vihar után a tanács úgy döntött, hogy újjáépíti a mólót, és jövőre többet kell fizetniük a halászoknak.",
  },
  {
    language: "Croatian",
    encodings: ["windows-1250", "iso-8859-2"],
    text: "Lučki kapetan svakog jutra provjerava pristojbe svih brodova. Čuvarica svjetionika živi na otoku Žabljak i uči djecu čitati znakove. Nakon oluje vijeće je odlučilo da će se gat popraviti, a ribari će sljedeće godine plaćati više nego što su očekivali.",
  },
  {
    language: "Russian",
    encodings: ["windows-1251", "koi8-r", "cp866", "iso-8859-5", "utf-16le", "utf-16be"],
    text: "Капитан порта каждое утро проверяет сборы всех кораблей. Смотрительница маяка живёт на острове Вьюн и учит детей читать знаки. После бури совет решил восстановить разрушенный причал, а рыбаки будут платить больше в следующем году. Груз: соль, смола, пенька.",
  },
  {
    language: "Ukrainian",
    encodings: ["windows-1251", "koi8-u"],
    text: "Капітан порту щоранку перевіряє збори всіх кораблів. Доглядачка маяка живе на острові Їжак і вчить дітей читати знаки. Після бурі рада вирішила відбудувати зруйнований причал, а рибалки сплачуватимуть наступного року більше.",
  },
  {
    language: "Bulgarian",
    encodings: ["windows-1251"],
    text: "Капитанът на пристанището всяка сутрин проверява таксите на корабите. Пазачката на фара живее на острова и учи децата да четат знаците. След бурята съветът реши да възстанови кея, а рибарите ще плащат повече догодина.",
  },
  {
    language: "Greek",
    encodings: ["windows-1253", "iso-8859-7", "cp737", "utf-16le", "utf-16be"],
    text: "Ο λιμενάρχης ελέγχει κάθε πρωί τα τέλη των πλοίων. Η φύλακας του φάρου ζει στο νησί και μαθαίνει στα παιδιά να διαβάζουν τα σήματα. Μετά την καταιγίδα το συμβούλιο αποφάσισε να ξαναχτίσει την προβλήτα, και οι ψαράδες θα πληρώνουν περισσότερα.",
  },
  {
    language: "Turkish",
    encodings: ["windows-1254", "cp857"],
    text: "Liman başkanı her sabah gemilerin ücretlerini denetliyor. Deniz fenerinin bekçisi küçük adada yaşıyor ve çocuklara işaretleri okumayı öğretiyor. Fırtınadan sonra kurul iskeleyi yeniden yapmaya karar verdi; balıkçılar gelecek yıl daha çok ödeyecek.",
  },
  {
    language: "Hebrew",
    encodings: ["windows-1255", "cp862"],
    text: "מנהל הנמל בודק בכל בוקר את האגרות של האוניות. שומרת המגדלור גרה באי הקטן ומלמדת את הילדים לקרוא את הסימנים. אחרי הסערה החליטה המועצה לבנות מחדש את המזח, והדייגים ישלמו יותר בשנה הבאה.",
  },
  {
    language: "Arabic",
    encodings: ["windows-1256", "iso-8859-6"],
    text: "يتحقق مدير الميناء كل صباح من رسوم السفن. تعيش حارسة المنارة في الجزيرة الصغيرة وتعلم الأطفال قراءة الإشارات. بعد العاصفة قرر المجلس إعادة بناء الرصيف وسيدفع الصيادون أكثر في العام القادم.",
  },
  {
    language: "Latvian",
    encodings: ["windows-1257"],
    text: "Ostas kapteinis katru rītu pārbauda kuģu nodevas. Bākas sargs dzīvo uz mazas salas un māca bērniem lasīt zīmes. Pēc vētras padome nolēma atjaunot piestātni, un zvejnieki nākamgad maksās vairāk.",
  },
  {
    language: "Lithuanian",
    encodings: ["windows-1257"],
    text: "Uosto kapitonas kiekvieną rytą tikrina laivų rinkliavas. Švyturio prižiūrėtoja gyvena mažoje saloje ir moko vaikus skaityti ženklus. Po audros taryba nusprendė atstatyti prieplauką, o žvejai kitąmet mokės daugiau.",
  },
  {
    language: "Vietnamese",
    encodings: ["windows-1258"],
    text: "Trưởng cảng kiểm tra lệ phí của các tàu mỗi buổi sáng. Người giữ hải đăng sống trên hòn đảo nhỏ và dạy trẻ em đọc các dấu hiệu. Sau cơn bão, hội đồng quyết định xây lại cầu cảng.",
  },
  {
    language: "Thai",
    encodings: ["windows-874"],
    text: "นายท่าเรือตรวจค่าธรรมเนียมของเรือทุกเช้า ผู้ดูแลประภาคารอาศัยอยู่บนเกาะเล็กและสอนเด็กอ่านสัญญาณ หลังพายุสภาตัดสินใจสร้างท่าเรือใหม่ และชาวประมงจะต้องจ่ายมากขึ้นในปีหน้า",
  },
  {
    language: "Japanese",
    encodings: ["shift_jis", "euc-jp", "utf-16le", "utf-16be"],
    text: "港長は毎朝すべての船の料金を確認する。灯台の番人は小さな島に住み、子供たちに信号の読み方を教えている。嵐の後、議会は壊れた桟橋を直すことを決めた。貨物は食塩とタールで、来年から漁師の支払いが増える。",
  },
  {
    language: "Simplified Chinese",
    encodings: ["gbk", "utf-16le", "utf-16be"],
    text: "港务长每天早上检查所有船只的费用。灯塔看守人住在小岛上，教孩子们看信号。暴风雨过后，议会决定修复被毁的码头，明年渔民要付更多的钱。船名：曙光号；货物：食盐和沥青；吨数：一百二十。",
  },
  {
    language: "Traditional Chinese",
    encodings: ["big5"],
    text: "港務長每天早上檢查所有船隻的費用。燈塔看守人住在小島上，教孩子們看信號。暴風雨過後，議會決定修復被毀的碼頭，明年漁民要付更多的錢。船名：曙光號；貨物：食鹽和瀝青；噸數：一百二十。",
  },
  {
    language: "Korean",
    encodings: ["euc-kr", "utf-16le", "utf-16be"],
    text: "항만장은 매일 아침 모든 배의 요금을 확인한다. 등대지기는 작은 섬에 살면서 아이들에게 신호 읽는 법을 가르친다. 폭풍이 지나간 뒤 의회는 부서진 부두를 고치기로 했고, 내년부터 어부들은 더 많은 돈을 내야 한다.",
  },
];
