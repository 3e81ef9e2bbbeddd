import type { FormTexts } from "./en.ts";

export const he: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "ייבוא הדפים של מרחב, עם הקבצים המצורפים ועם המידע מי רשאי לראות אותם.",
  Address: "כתובת",
  "The address of Confluence, or of any page in it.": "הכתובת של Confluence או של כל דף בו.",
  Deployment: "סוג ההתקנה",
  Cloud: "ענן",
  "Self-hosted": "אירוח עצמי",
  "Space key": "מפתח המרחב",
  "Include attachments": "הכללת קבצים מצורפים",
  "PDFs, Office files and texts.": "קובצי PDF, קובצי Office וטקסטים.",
  "Include blog posts": "הכללת פוסטים מהבלוג",
  "Maximum size of an attachment, in MB": "הגודל המרבי של קובץ מצורף, ב-MB",
  "Accept any certificate": "קבלת כל אישור",
  "For a self-hosted server with a self-signed certificate.":
    "לשרת באירוח עצמי עם אישור בחתימה עצמית.",
  Username: "שם משתמש",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "ב-Confluence Cloud, כתובת האימייל שלכם. אין בו צורך עם טוקן גישה אישי.",
  "API token or password": "טוקן API או סיסמה",
  "Personal access token": "טוקן גישה אישי",
  "Self-hosted only; instead of a username.": "באירוח עצמי בלבד; במקום שם משתמש.",
  "Import the pages of spaces, with their attachments.":
    "ייבוא הדפים של מרחבים, עם הקבצים המצורפים.",
  "Space IDs": "מזהי המרחבים",
  "One per line. Without any, every space that the token may read.":
    "אחד בכל שורה. אם השדה ריק, כל המרחבים שהטוקן רשאי לקרוא.",
  "Access token": "טוקן גישה",
  "RSS or Atom feed": "פיד RSS או Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "ייבוא הרשומות של פיד, וגם רשומות חדשות כשהן מתפרסמות.",
  "The address of the feed, or of a page that has one.": "הכתובת של הפיד או של דף שיש בו פיד.",
  "Import full pages": "ייבוא דפים מלאים",
  "For feeds that only have summaries: imports the page each entry links to.":
    "לפידים שיש בהם רק תקצירים: מייבא את הדף שכל רשומה מקשרת אליו.",
  "Maximum entries per import": "מספר הרשומות המרבי לייבוא",
  "Only for feeds that ask for a password.": "רק לפידים שמבקשים סיסמה.",
  Password: "סיסמה",
  "Folder on the server": "תיקייה בשרת",
  "Import the files of a folder that an admin has allowed.":
    "ייבוא הקבצים של תיקייה שהוגדרה כמותרת.",
  Folder: "תיקייה",
  "One of the allowed folders, or a folder in one of them.":
    "אחת התיקיות המותרות, או תיקייה בתוכן.",
  "Ignored files": "קבצים להתעלמות",
  "One pattern per line, as in .gitignore.": "תבנית אחת בכל שורה, כמו ב-‎.gitignore.",
  "Largest file, in MB": "הגודל המרבי של קובץ, ב-MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "ייבוא הקבצים של מאגר ב-Gitea או ב-Forgejo, ואם רוצים גם את ה-issues ואת הוויקי.",
  Repository: "מאגר",
  Branch: "ענף",
  "The default branch if empty.": "ענף ברירת המחדל, אם השדה ריק.",
  "Include issues": "הכללת issues",
  "Each issue and its comments become one document.": "כל issue, עם התגובות שלו, הופך למסמך אחד.",
  "Include the wiki": "הכללת הוויקי",
  "Needed for private repositories. It may read repositories and issues.":
    "נדרש למאגרים פרטיים. צריכה להיות לו הרשאת קריאה למאגרים ול-issues.",
  "Import the files of a repository, and its issues if you want.":
    "ייבוא הקבצים של מאגר, ואם רוצים גם את ה-issues.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "נדרש למאגרים פרטיים. צריכה להיות לו הרשאת קריאה לתוכן, ל-issues ולמטא-נתונים.",
  "Import the files of a project, and its issues and wiki if you want.":
    "ייבוא הקבצים של פרויקט, ואם רוצים גם את ה-issues ואת הוויקי.",
  "Needed for private projects. Scope: read_api.": "נדרש לפרויקטים פרטיים. היקף: read_api.",
  "Mailbox (IMAP)": "תיבת דואר (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "ייבוא הודעות עם הקבצים המצורפים. כל מי שבסביבת העבודה יוכל לקרוא אותן.",
  Server: "שרת",
  Folders: "תיקיות",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "אחת בכל שורה. אם השדה ריק, כל התיקיות חוץ מטיוטות, דואר זבל ואשפה.",
  Since: "מתאריך",
  "Only messages that arrived on this day or later.": "רק הודעות שהגיעו ביום הזה או אחריו.",
  Encryption: "הצפנה",
  "A server on this machine can do without.": "שרת במחשב הזה יכול להסתדר בלעדיה.",
  None: "ללא",
  Port: "פורט",
  "By default 993, or 143 without TLS from the start.": "כברירת מחדל 993, או 143 בלי TLS מההתחלה.",
  "Largest message, in MB": "הגודל המרבי של הודעה, ב-MB",
  "For a server with a self-signed certificate.": "לשרת עם אישור בחתימה עצמית.",
  "Most providers require an app password.": "רוב הספקים דורשים סיסמת אפליקציה.",
  "Import the issues of a project or a query, with their comments.":
    "ייבוא הפניות של פרויקט או של שאילתה, עם התגובות שלהן.",
  "The address of Jira, or of any issue in it.": "הכתובת של Jira או של כל פנייה בו.",
  "Project key": "מפתח הפרויקט",
  "Query (JQL)": "שאילתה (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "רק פניות מתאימות, בפרויקט או, אם לא צוין פרויקט, בכולם.",
  "Include comments": "הכללת תגובות",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "ב-Jira Cloud, כתובת האימייל שלכם. אין בו צורך עם טוקן גישה אישי.",
  "Import the pages and databases that are shared with an integration.":
    "ייבוא הדפים ומסדי הנתונים ששותפו עם אינטגרציה.",
  "Integration secret": "הסוד של האינטגרציה",
  "Add the integration to each page or database that it may read.":
    "יש להוסיף את האינטגרציה לכל דף או מסד נתונים שהיא רשאית לקרוא.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "ייבוא המסמכים של ארכיון Paperless-ngx, עם התגיות שלהם.",
  Content: "תוכן",
  "Files have pages that citations can show. The text is already recognised.":
    "בקבצים יש עמודים שהציטוטים יכולים להציג. הטקסט כבר מזוהה.",
  "Text that Paperless recognised": "הטקסט ש-Paperless זיהה",
  "Archived file": "הקובץ בארכיון",
  "Original file": "הקובץ המקורי",
  "Maximum size of a file, in MB": "הגודל המרבי של קובץ, ב-MB",
  "API token": "טוקן API",
  "From My Profile in Paperless-ngx.": "מתוך ״הפרופיל שלי״ ב-Paperless-ngx.",
  "S3 bucket": "bucket ב-S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "ייבוא הקבצים של bucket ב-Amazon S3, ב-MinIO, ב-R2 או בשרת תואם.",
  Endpoint: "נקודת קצה",
  "The server's address. Amazon S3 if empty.": "כתובת השרת. Amazon S3, אם השדה ריק.",
  Region: "אזור",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1, אם השדה ריק. רוב השרתים התואמים מקבלים אותו.",
  Bucket: "Bucket",
  Prefix: "קידומת",
  "Only files whose keys begin with it. Everything if empty.":
    "רק קבצים שהמפתח שלהם מתחיל בה. הכול, אם השדה ריק.",
  "Bucket in the path": "ה-bucket בנתיב",
  "Turn it off for servers that expect the bucket in the host name.":
    "יש לכבות לשרתים שמצפים ל-bucket בשם המארח.",
  "Access key ID": "מזהה מפתח גישה",
  "May list the bucket and read its files. None for public buckets.":
    "צריכה להיות לו הרשאה להציג את תוכן ה-bucket ולקרוא את הקבצים. אין בו צורך ל-buckets ציבוריים.",
  "Secret access key": "מפתח גישה סודי",
  "Nextcloud or WebDAV": "Nextcloud או WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "ייבוא הקבצים של תיקייה ב-Nextcloud, ב-ownCloud או בכל שרת WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "של Nextcloud, של תיקייה כפי שהדפדפן מציג אותה, או של תיקיית WebDAV.",
  "Everything if empty.": "הכול, אם השדה ריק.",
  "App password": "סיסמת אפליקציה",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "ב-Nextcloud, מתוך הגדרות > אבטחה. בשרתים אחרים, הסיסמה הרגילה.",
  Website: "אתר",
  "Import the pages of a site, following its links and sitemap.":
    "ייבוא הדפים של אתר לפי הקישורים ומפת האתר שלו.",
  "Start page": "דף ההתחלה",
  "Link depth": "עומק הקישורים",
  "How many links away from the start page Carrel follows.":
    "אחרי כמה קישורים מדף ההתחלה Carrel ממשיך.",
  "Maximum pages": "מספר הדפים המרבי",
  "Part of the site": "חלק מהאתר",
  "Only the start page's folder": "רק התיקייה של דף ההתחלה",
  "The whole site": "כל האתר",
  "Include linked files": "הכללת קבצים מקושרים",
  "PDFs and Office files that pages link to.": "קובצי PDF ו-Office שהדפים מקשרים אליהם.",
  "Run scripts": "הרצת סקריפטים",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "לדפים שנשארים ריקים בלי JavaScript. לוקח כמה שניות לדף, ודורש דפדפן שהוגדר בשרת.",
  "Excluded paths": "נתיבים שלא ייכללו",
  "One per line, such as /blog/archive.": "אחד בכל שורה, למשל ‎/blog/archive.",
  "Use the sitemap": "שימוש במפת האתר",
  "Import the transcripts of a video, a playlist or a channel.":
    "ייבוא התמלילים של סרטון, של פלייליסט או של ערוץ.",
  "Video, playlist or channel": "סרטון, פלייליסט או ערוץ",
  "Transcript language": "שפת התמליל",
  "A code such as en. By default, the language that is spoken.":
    "קוד כמו en. כברירת מחדל, השפה המדוברת.",
  "Maximum videos": "מספר הסרטונים המרבי",
  "The newest ones of a channel, and the first ones of a playlist.":
    "החדשים ביותר בערוץ, והראשונים בפלייליסט.",
};
