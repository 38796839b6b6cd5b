import { ApiError, Client } from "./client.js";

const api = new Client(process.argv[2]);

const small = await api.addTask({ text: "water the plants", due: "2026-05-01T08:00:00Z" });
const large = await api.addTask({ text: "paint the house", size: "large", due: null });
console.log(small.size, large.id);

const found = await api.listTasks({ size: "large" });
console.log(found?.map((task) => task.text).join());

await api.removeTask({ id: small.id });
try {
  await api.removeTask({ id: small.id });
} catch (error) {
  console.log(error instanceof ApiError ? error.status : error);
}
