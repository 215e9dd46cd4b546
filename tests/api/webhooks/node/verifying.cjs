// Checks a message, {"secret", "body", "headers"}, in the file that the second argument names; the first is the folder of packages.
const { Webhook } = require(`${process.argv[2]}/standardwebhooks`);
const { secret, body, headers } = JSON.parse(require("node:fs").readFileSync(process.argv[3], "utf8"));
console.log(new Webhook(secret).verify(body, headers).type);
